create table custom_fields (
  organization_id uuid not null,
  id uuid not null,
  -- The member of tickets.custom_fields; never changes.
  key text not null,
  type text not null check (type in ('text', 'long_text', 'number', 'date', 'yes_no', 'choice', 'choices')),
  label text not null,
  hint text,
  options jsonb not null,
  categories text[] not null,
  form text not null check (form in ('hidden', 'optional', 'required')),
  shown_to_customers boolean not null,
  set_by_widget boolean not null,
  required_to_resolve boolean not null,
  translations jsonb not null,
  -- From 1, without gaps; 0 for a deleted field.
  position integer not null,
  deleted_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, key)
);
create index custom_fields_deleted on custom_fields (deleted_at) where deleted_at is not null;
select tenant_isolation('custom_fields');
-- The sweep finds the fields of all organizations that can no longer be restored.
select system_readable('custom_fields');
comment on table custom_fields is 'Fields of tickets that organizations have defined.';

create table ticket_field_values (
  organization_id uuid not null,
  key text collate "C" not null,
  -- Folded; of a long text only the beginning. A field with several choices has a row for each.
  value text collate "C" not null,
  -- Not numeric: its operators are not leakproof, so that under row-level security no index could be used for a range.
  number double precision,
  status text not null,
  created_at timestamptz(3) not null,
  ticket_id uuid not null,
  primary key (organization_id, ticket_id, key, value),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index ticket_field_values_newest on ticket_field_values (organization_id, key, value, status, created_at desc, ticket_id desc);
-- For the sort orders, and for ranges of numbers and dates.
create index ticket_field_values_by_value on ticket_field_values (organization_id, key, value, ticket_id);
create index ticket_field_values_by_number on ticket_field_values (organization_id, key, number, ticket_id) where number is not null;
select tenant_isolation('ticket_field_values');
comment on table ticket_field_values is
  'The values of tickets.custom_fields, so that an index finds them: under row-level security, operators of jsonb use none. Maintained by a trigger.';
