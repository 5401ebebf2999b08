-- Links of which the task refused a field: few, and looked for by each sweep and each look at an integration's health.
create index links_refused on links (organization_id, integration_id) where shadow @? '$.*.refused';

-- 'unavailable': the tool does not give access to the list at the moment, perhaps to the whole workspace, although it accepts the token. The list is
-- requested again with back-off (`look_at`, `probes`), and the integration goes on automatically.
alter table integrations
  drop constraint integrations_pause_reason_check,
  add constraint integrations_pause_reason_check
    check (pause_reason in ('by_hand', 'connection_broken', 'unavailable', 'list_gone', 'loop')),
  -- The cause, for people, where it is known better than the reason says.
  add column pause_detail text,
  add column unavailable_since timestamptz(3),
  add column probes integer not null default 0;
create index integrations_to_probe on integrations (look_at) where not is_active and pause_reason in ('unavailable', 'list_gone');
