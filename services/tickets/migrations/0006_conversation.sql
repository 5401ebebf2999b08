alter table comments
  add column mentions uuid[] not null default '{}' check (cardinality(mentions) <= 20),
  add column merged_from_id uuid;

-- What happened to a ticket, beside its comments. Written in the transaction that changes it, never changed.
create table activities (
  organization_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  kind text not null check (kind in ('created', 'changed', 'merged', 'sla_warning', 'sla_breached', 'escalated')),
  actor_type text not null check (actor_type in ('user', 'token', 'customer', 'task-tool', 'system')),
  user_id uuid,
  changes jsonb not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade,
  check ((actor_type = 'user') = (user_id is not null))
);
select tenant_isolation('activities');
create index activities_of_ticket on activities (organization_id, ticket_id, created_at desc, id desc);

create table drafts (
  organization_id uuid not null,
  user_id uuid not null,
  ticket_id uuid not null,
  content text not null check (char_length(content) between 1 and 100000),
  is_internal boolean not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, user_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('drafts');
-- A merge moves all drafts of a ticket.
create index drafts_of_ticket on drafts (organization_id, ticket_id);

create table macros (
  organization_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  content text not null check (char_length(content) <= 100000),
  is_internal boolean not null,
  changes jsonb not null,
  is_shared boolean not null,
  owner_id uuid not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);
select tenant_isolation('macros');
create index macros_of_owner on macros (organization_id, owner_id);
