-- The small service in the tests of libs/messaging.
create table notes (
  id uuid primary key,
  organization_id uuid not null,
  text text not null,
  state text not null default 'pending'
);
select tenant_isolation('notes');
select system_readable('notes');

create table effects (
  position bigint generated always as identity primary key,
  organization_id uuid not null,
  subject text not null,
  sequence bigint not null
);
select tenant_isolation('effects');
select system_readable('effects');
