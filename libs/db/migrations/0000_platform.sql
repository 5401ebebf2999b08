-- What every service's database begins with: tenancy as two functions, and the tables of libs/messaging.

-- Makes a table visible only inside its organization. The table has `organization_id uuid not null`.
-- An unset setting is null after nullif, null equals nothing: no row is seen, none can be written.
-- FORCE binds the owner too, so a later migration that must touch all rows says so in the open:
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

-- Lets `Database.asSystem` read the table across organizations (look-ups before the organization is known, sweepers).
-- Reading only: whoever then writes does so with forTenant. `select … for update` counts as writing and sees nothing.
create function system_readable(table_name text) returns void language plpgsql as $$
begin
  execute format('create policy system_readable on %I for select using (current_setting(''app.system'', true) = ''on'')', table_name);
end $$;

-- Lets `Database.asSystem` also delete from the table: for rows that expire.
create function system_deletable(table_name text) returns void language plpgsql as $$
begin
  execute format('create policy system_deletable on %I for delete using (current_setting(''app.system'', true) = ''on'')', table_name);
end $$;

-- Lets `Database.asSystem` also add rows: for logs of what happens before there is a tenant (a failed sign-in). Rows stay as they are.
create function system_insertable(table_name text) returns void language plpgsql as $$
begin
  execute format('create policy system_insertable on %I for insert with check (current_setting(''app.system'', true) = ''on'')', table_name);
end $$;

-- Events on their way to the broker. The relay takes unpublished rows in the order of `position`, which can commit out
-- of order: hence a mark per row, never 'the last position seen'.
create table outbox (
  id uuid primary key,
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
-- For deleting what was published long ago.
create index outbox_published on outbox (published_at) where published_at is not null;

-- Which events a consumer has dealt with, written in the transaction of their effect.
create table inbox (
  consumer text not null,
  event_id uuid not null,
  taken_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_taken_at on inbox (taken_at);

-- Events that a consumer gave up on, with the reason, until somebody replays them.
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

-- The last sequence given per subject. Its row lock orders the events of a subject and leaves no gaps.
create table event_sequences (
  subject text primary key,
  last bigint not null
);

-- Answers to requests that carried an Idempotency-Key.
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
