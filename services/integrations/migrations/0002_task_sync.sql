-- One connection of an organization to each task tool. The token is sealed; a connection that is given up keeps its row without it, so that
-- webhooks which still arrive find nobody, and a new connection finds its integrations again only where the organization kept them.
alter table connections
  alter column sealed_webhook_secret drop not null,
  add column state text not null default 'connected' check (state in ('connected', 'broken')),
  add column kind text not null default 'oauth' check (kind in ('oauth', 'personal_token')),
  add column sealed_token text,
  add column sealed_refresh_token text,
  add column token_expires_at timestamptz(3),
  -- Of the person in the task tool whose token it is.
  add column account_id text not null default '',
  add column account_name text not null default '',
  add column connected_by uuid,
  add column connected_at timestamptz(3) not null default now(),
  add column broken_at timestamptz(3),
  -- Of a broken one: when the tool is asked next whether it takes the token again, and how often it was asked.
  add column probe_at timestamptz(3),
  add column probes integer not null default 0,
  -- Until when one process exchanges the refresh token (it may have died); the others wait for what it gets.
  add column refreshing_until timestamptz(3),
  -- Whether all tickets of before the connection have been told (`ticket.all_told`).
  add column tickets_told boolean not null default false,
  -- Who brings things to the other side at the moment, and until when nobody else may (the process may have died). Whoever is not named here any
  -- more makes no further call.
  add column working_id uuid,
  add column working_until timestamptz(3),
  -- Nothing is sent before this time: the tool said so (rate limit), or it does not answer.
  add column blocked_until timestamptz(3),
  add column block_reason text check (block_reason in ('rate_limit', 'away')),
  -- Calls in a row that failed for no fault of theirs.
  add column failures integer not null default 0,
  -- What the tool last said of its limit: how many calls, how many are left, and when all are there again.
  add column rate_limit integer,
  add column rate_remaining integer,
  add column rate_reset_at timestamptz(3),
  -- Since when a window of the limit runs whose end no answer has told: it lasts a minute then.
  add column rate_since timestamptz(3),
  add constraint connections_once unique (organization_id, provider);

-- OAuth that was begun: works once, for 10 minutes, for whom it was begun.
create table oauth_states (
  organization_id uuid not null,
  -- SHA-256 of the state that went through the browser.
  state_hash text not null,
  provider text not null,
  user_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, state_hash)
);
select tenant_isolation('oauth_states');
select system_readable('oauth_states');
select system_deletable('oauth_states');

create table integrations (
  organization_id uuid not null,
  id uuid not null,
  connection_id uuid not null references connections (id) on delete cascade,
  provider text not null,
  workspace_id text not null,
  workspace_name text not null,
  space_id text,
  space_name text,
  list_id text not null,
  list_name text not null,
  field_mappings jsonb not null,
  status_mappings jsonb not null,
  rules jsonb not null,
  comment_sync text not null check (comment_sync in ('both', 'to_task', 'to_ticket', 'none')),
  conflict_rule text not null check (conflict_rule in ('latest', 'help_desk', 'task')),
  on_task_finished text not null check (on_task_finished in ('tell_customer', 'set_status')),
  finished_reply text,
  is_active boolean not null default true,
  pause_reason text check (pause_reason in ('by_hand', 'connection_broken', 'list_gone', 'loop')),
  -- The list's statuses as they were read last.
  statuses jsonb not null,
  -- The tool said no to custom fields for good (plan): the customer's address stands in the description instead.
  custom_fields_refused boolean not null default false,
  -- The webhook at the tool, once it is made. Its secret is sealed.
  webhook_id text,
  sealed_webhook_secret text,
  webhook_state text not null default 'missing' check (webhook_state in ('missing', 'active', 'failing', 'suspended')),
  -- When webhook and list are looked at next, and up to which change of the list everything is known (the tool's clock).
  look_at timestamptz(3) not null default now(),
  list_seen_until timestamptz(3),
  -- When its statuses were read last, and when each task of it was seen, the unchanged ones too: nothing tells of those that left. A count that
  -- is under way: since when, and up to which change of the list it has come.
  described_at timestamptz(3),
  counted_at timestamptz(3),
  counting_since timestamptz(3),
  counted_until timestamptz(3),
  backfill_started_at timestamptz(3),
  backfill_finished_at timestamptz(3),
  backfill_total integer not null default 0,
  last_sync_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, connection_id, list_id)
);
select tenant_isolation('integrations');
-- The sweep looks for those whose time has come, and a webhook names no organization.
select system_readable('integrations');
create index integrations_of_connection on integrations (connection_id);
create index integrations_by_id on integrations (id);
create index integrations_to_look_at on integrations (look_at) where is_active;

-- Tickets as the sync needs them, of organizations that have a connection. `sequence`: of the event that wrote the row; the older one loses.
create table ticket_copies (
  organization_id uuid not null,
  ticket_id uuid not null,
  sequence bigint not null,
  ticket_number text not null,
  subject text not null,
  description text,
  status text not null,
  priority text not null,
  category text,
  tags text[] not null,
  customer_name text,
  customer_email text not null,
  assignee_email text,
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, ticket_id)
);
select tenant_isolation('ticket_copies');

-- A ticket and its task. One per ticket, and a task belongs to one ticket.
create table links (
  organization_id uuid not null,
  ticket_id uuid not null,
  integration_id uuid not null,
  connection_id uuid not null,
  -- 'parted': somebody unlinked it, or its integration was removed: no task is made by itself again. Never shown.
  state text not null check (state in ('creating', 'adopting', 'linked', 'gone', 'stopped', 'failed', 'parted')),
  task_id text,
  task_url text,
  -- Of the task as it was seen last; `shadow` is per field { ticket, task, awaiting?, … }: what each side held when they last agreed, in the words of
  -- that side, and the value that the ticket is about to take, since when, and when it is asked again. See sync/merge.ts.
  shadow jsonb not null default '{}',
  task jsonb,
  -- The tool's time of the task's state that we have seen, and of the latest change that a webhook told. Later: the task must be read.
  task_seen_at timestamptz(3),
  task_told_at timestamptz(3),
  -- Comments of the task that a webhook named and nobody knows yet.
  comments_told text[] not null default '{}',
  -- How often some of them were looked for and not found.
  comment_tries smallint not null default 0,
  -- Up to which time of the tool a webhook told of each comment: a task that changed later without a word may have one that was lost.
  comments_told_until timestamptz(3),
  -- When the list last showed the task in a count.
  counted_at timestamptz(3),
  -- The ticket's sequence that was brought to the task.
  ticket_sequence bigint not null default 0,
  -- When there is something to do, and how urgent: 0 somebody waits for it, 1 a change, 2 a new ticket, 3 backfill. Null: nothing.
  work_at timestamptz(3),
  urgency smallint not null default 1,
  attempts integer not null default 0,
  -- A creation was under way when nobody heard of its end: the task is searched before another is made.
  create_begun_at timestamptz(3),
  -- Not searched before: the request may still be on its way to the tool.
  search_at timestamptz(3),
  is_backfill boolean not null default false,
  -- Automatic writes of the current minute and hour, both ways: more than a person could cause is a loop.
  writes integer not null default 0,
  writes_since timestamptz(3),
  hour_writes integer not null default 0,
  hour_since timestamptz(3),
  problem text,
  -- Of a link that is gone because its whole list was deleted, and not because somebody wanted the ticket to have no task.
  lost_list_id text,
  synced_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, ticket_id)
);
select tenant_isolation('links');
select system_readable('links');
create unique index links_of_task on links (organization_id, connection_id, task_id) where task_id is not null and state <> 'parted';
create index links_of_integration on links (organization_id, integration_id, state);
create index links_to_work_on on links (organization_id, connection_id, urgency, work_at) where work_at is not null;
-- A table that the sweep may read is not reached by the primary key unless the organization is named: ids are unique anyway.
create index links_by_ticket on links (ticket_id);
-- The sweep: which connections have something to do.
create index links_waiting on links (work_at) where work_at is not null;

-- Comments that went from one side to the other: each once. `external_id` null: not at the task yet.
create table comment_links (
  organization_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  -- Ours; null for one that came from the task.
  comment_id uuid,
  external_id text,
  -- What is to be sent; gone once it is.
  content text,
  -- Sending was begun and nobody heard of its end: it is searched before it is sent again.
  send_begun_at timestamptz(3),
  -- Not searched before: the request may still be on its way to the tool.
  search_at timestamptz(3),
  state text not null check (state in ('pending', 'sent', 'failed', 'received')),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references links (organization_id, ticket_id) on delete cascade,
  unique (organization_id, comment_id),
  unique (organization_id, ticket_id, external_id)
);
select tenant_isolation('comment_links');
create index comment_links_pending on comment_links (organization_id, ticket_id, created_at, id) where state = 'pending';

create table sync_log (
  organization_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  ticket_id uuid,
  ticket_number text,
  level text not null check (level in ('info', 'warning', 'error')),
  direction text check (direction in ('to_task', 'to_ticket')),
  field text,
  message text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select tenant_isolation('sync_log');
select system_readable('sync_log');
select system_deletable('sync_log');
create index sync_log_of_integration on sync_log (organization_id, integration_id, created_at desc, id desc);
create index sync_log_created_at on sync_log (created_at);

-- What was worked on goes after its time, with what it said.
select system_deletable('inbound_webhooks');
create index inbound_webhooks_done on inbound_webhooks (received_at) where state <> 'stored';
-- The next batch of a connection.
create index inbound_webhooks_next on inbound_webhooks (organization_id, connection_id, received_at, id) where state = 'stored';
