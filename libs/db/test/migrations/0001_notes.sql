create table notes (
  id uuid primary key,
  organization_id uuid not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index notes_newest on notes (organization_id, created_at desc, id desc);
select tenant_isolation('notes');

create table members (
  id uuid primary key,
  organization_id uuid not null,
  email text not null
);
select tenant_isolation('members');
select system_readable('members');

create table people (id uuid primary key, email text not null unique);
comment on table people is 'tenancy: none — a person may belong to no organization';
