create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- What tickets keeps of identity's organizations. `sequence` is that of the event which wrote the row: older ones are ignored.
create table organizations (
  organization_id uuid primary key,
  name text not null,
  subdomain text,
  ticket_prefix text not null check (char_length(ticket_prefix) between 1 and 10),
  sequence bigint not null
);
select tenant_isolation('organizations');

-- Whom a ticket can be assigned to, and the names that the list shows.
create table members (
  organization_id uuid not null,
  user_id uuid not null,
  email text not null,
  first_name text,
  last_name text,
  is_active boolean not null,
  sequence bigint not null,
  primary key (organization_id, user_id)
);
select tenant_isolation('members');

-- One row per organization, locked by whoever numbers a ticket until that ticket is committed: hence no gaps.
-- The prefix moves with the organization's only while there is no ticket (`product-decisions.md`).
create table ticket_counters (
  organization_id uuid primary key,
  prefix text not null,
  last_number integer not null default 0 check (last_number >= 0)
);
select tenant_isolation('ticket_counters');

-- Times have milliseconds, as the JSON that carries them: a keyset cursor made from an answer must meet its row again.
create table tickets (
  organization_id uuid not null,
  id uuid not null,
  ticket_number text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  description text check (char_length(description) <= 100000),
  description_preview text generated always as (left(description, 200)) stored,
  status text not null default 'open' check (status in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  category text check (char_length(category) <= 100),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  customer_name text check (char_length(customer_name) <= 200),
  customer_email text not null check (char_length(customer_email) <= 254 and customer_email = lower(customer_email)),
  assigned_to uuid,
  comment_count integer not null default 0 check (comment_count >= 0),
  clickup_task_id text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  version integer not null default 1 check (version >= 1),
  -- The four fields that a search looks into (spec part 2, section 7); the unit separator keeps a match inside one of them.
  search_text text generated always as (
    lower(subject || chr(31) || coalesce(customer_name, '') || chr(31) || customer_email || chr(31) || ticket_number)
  ) stored,
  primary key (organization_id, id),
  unique (organization_id, ticket_number)
);
select tenant_isolation('tickets');

create index tickets_newest on tickets (organization_id, created_at desc, id desc);
create index tickets_by_status on tickets (organization_id, status, created_at desc, id desc);
create index tickets_by_status_priority on tickets (organization_id, status, priority, created_at desc, id desc);
create index tickets_by_assignee on tickets (organization_id, assigned_to, created_at desc, id desc);
-- `assigned_to is null` does not count as an equality for the order of an index: without this, "unassigned" would sort.
create index tickets_unassigned on tickets (organization_id, created_at desc, id desc) where assigned_to is null;
create index tickets_by_customer on tickets (organization_id, customer_email, created_at desc, id desc);
-- Used only inside find_tickets_by_text (next migration). `fastupdate` stays on (off costs six times the
-- insert), but every search reads the entries that are still pending: at most 1 MB of them instead of 4.
create index tickets_search on tickets using gin (organization_id, search_text gin_trgm_ops) with (gin_pending_list_limit = 1024);
