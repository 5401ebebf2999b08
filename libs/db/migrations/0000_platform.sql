-- The first migration of every service: functions that set up tenancy, and the tables of libs/messaging.

-- ===== Tenancy =====

-- Restricts each row of a table to its organization. The table needs `organization_id uuid not null`.
-- Without a current organization the setting is null, which equals no value: no row can be read or written.
-- FORCE applies the policy to the owner as well, so a migration that updates rows must lift it explicitly:
-- `alter table t no force row level security; update …; alter table t force row level security;`
create function tenant_isolation(table_name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', table_name);
  execute format('alter table %I force row level security', table_name);
  execute format(
    'create policy tenant_isolation on %I
       using (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::uuid)
       with check (organization_id = nullif(current_setting(''app.organization_id'', true), '''')::uuid)',
    table_name);
end $$;

-- Lets `Database.asSystem` read the table across organizations, for look-ups before the organization is known and for sweeps.
-- It cannot write; use forTenant for that. `select … for update` counts as a write and returns no rows.
create function system_readable(table_name text) returns void language plpgsql as $$
begin
  execute format('create policy system_readable on %I for select using (current_setting(''app.system'', true) = ''on'')', table_name);
end $$;

-- Lets `Database.asSystem` also delete rows, for those that expire.
create function system_deletable(table_name text) returns void language plpgsql as $$
begin
  execute format('create policy system_deletable on %I for delete using (current_setting(''app.system'', true) = ''on'')', table_name);
end $$;

-- Lets `Database.asSystem` also insert rows, for logs of events before the organization is known (a failed sign-in). It cannot update them.
create function system_insertable(table_name text) returns void language plpgsql as $$
begin
  execute format('create policy system_insertable on %I for insert with check (current_setting(''app.system'', true) = ''on'')', table_name);
end $$;

-- ===== Messaging =====

create table outbox (
  id uuid primary key,
  -- The order of publication. Positions can commit out of order, so each row has its own `published_at`.
  position bigint generated always as identity,
  organization_id uuid,
  subject text not null,
  type text not null,
  sequence bigint not null,
  envelope jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_unpublished on outbox (position) where published_at is null;
-- For the cleanup of old rows.
create index outbox_published on outbox (published_at) where published_at is not null;
comment on table outbox is 'Events to publish, written in the transaction that causes them.';

create table inbox (
  consumer text not null,
  event_id uuid not null,
  processed_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_processed_at on inbox (processed_at);
comment on table inbox is 'Events that a consumer has processed, written in the transaction of their effect.';

create table dead_letters (
  id uuid primary key,
  consumer text not null,
  event_id uuid not null,
  envelope jsonb not null,
  error text not null,
  attempts integer not null,
  created_at timestamptz not null default now(),
  replayed_at timestamptz,
  unique (consumer, event_id)
);
comment on table dead_letters is 'Events that a consumer failed to process in all attempts, until an operator replays them.';

create table event_sequences (
  subject text primary key,
  last bigint not null
);
comment on table event_sequences is 'The last sequence of each subject. The row lock orders the events of a subject and prevents gaps.';

create table idempotency_keys (
  organization_id uuid not null,
  operation text not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint text not null,
  status text not null check (status in ('running', 'done')),
  response_status integer,
  response_headers jsonb,
  response_body bytea,
  created_at timestamptz not null default now(),
  primary key (organization_id, operation, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);
select tenant_isolation('idempotency_keys');
select system_readable('idempotency_keys');
select system_deletable('idempotency_keys');
comment on table idempotency_keys is 'Responses to requests with an Idempotency-Key.';
