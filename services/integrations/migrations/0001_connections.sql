-- An organization's connection to a task tool. The webhook's secret is sealed; the tool's token will stand beside it.
create table connections (
  id uuid primary key,
  organization_id uuid not null,
  provider text not null,
  sealed_webhook_secret text not null,
  created_at timestamptz not null default now()
);
create index connections_of_organization on connections (organization_id, created_at desc);
select tenant_isolation('connections');
-- A webhook names its connection before anybody knows the organization.
select system_readable('connections');

-- Every webhook that was verified, as it came: stored before it is answered, worked on afterwards.
create table inbound_webhooks (
  id uuid primary key,
  organization_id uuid not null,
  connection_id uuid not null references connections (id) on delete cascade,
  -- sha256 of connection and body: task tools deliver the same event again, and ClickUp's own history ids are reused.
  fingerprint text not null,
  body bytea not null,
  state text not null default 'stored' check (state in ('stored', 'done', 'failed')),
  -- What the body turned out to say.
  event text,
  task_id text,
  last_error text,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  unique (organization_id, connection_id, fingerprint)
);
create index inbound_webhooks_unfinished on inbound_webhooks (received_at) where state = 'stored';
select tenant_isolation('inbound_webhooks');
-- The sweeper looks for forgotten ones across organizations.
select system_readable('inbound_webhooks');
