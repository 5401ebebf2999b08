create table custom_fields (
  organization_id uuid not null,
  id uuid not null,
  -- The sequence of the event that wrote the row; older events are ignored.
  sequence bigint not null,
  key text not null,
  type text not null,
  label text not null,
  -- Values and labels.
  options jsonb not null,
  position integer not null,
  -- The row of a deleted field stays, so that an older event that arrives late does not restore it.
  is_deleted boolean not null,
  primary key (organization_id, id)
);
select tenant_isolation('custom_fields');
comment on table custom_fields is 'The custom fields of tickets, as the sync needs them.';
