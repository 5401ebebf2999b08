create table merges (
  organization_id uuid not null,
  source_id uuid not null,
  target_id uuid not null,
  -- The versions of both tickets after the merge: it can be undone as long as neither has changed.
  source_version integer not null,
  target_version integer not null,
  -- What the merge moved and overwrote.
  restore jsonb not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, source_id),
  foreign key (organization_id, source_id) references tickets (organization_id, id) on delete cascade,
  foreign key (organization_id, target_id) references tickets (organization_id, id) on delete cascade
);
create index merges_into on merges (organization_id, target_id);
select tenant_isolation('merges');
comment on table merges is 'What is needed to undo a merge; one row per merged ticket.';
