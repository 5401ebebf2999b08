-- The integrations service: connections to task tools, and the sync of tickets with tasks.

-- ===== Connections =====

create table connections (
  id uuid primary key,
  organization_id uuid not null,
  provider text not null,
  state text not null default 'connected' check (state in ('connected', 'broken')),
  kind text not null default 'oauth' check (kind in ('oauth', 'personal_token')),
  sealed_token text,
  sealed_refresh_token text,
  token_expires_at timestamptz(3),
  -- Only one process at a time exchanges the refresh token. If it dies, the next one may try after this time.
  refresh_lease_until timestamptz(3),
  sealed_webhook_secret text,
  -- The user in the task tool that the token belongs to.
  account_id text not null default '',
  account_name text not null default '',
  connected_by uuid,
  connected_at timestamptz(3) not null default now(),
  created_at timestamptz not null default now(),
  -- A broken connection: when to check next whether the tool accepts the token again, and the number of checks so far.
  broken_at timestamptz(3),
  probe_at timestamptz(3),
  probes integer not null default 0,
  -- Whether all tickets older than the connection have been received.
  tickets_exported boolean not null default false,
  -- The lease of the process that syncs the connection. A process that has lost the lease makes no further calls.
  lease_id uuid,
  lease_until timestamptz(3),
  -- No calls until then: the tool limited the rate or does not respond.
  blocked_until timestamptz(3),
  block_reason text check (block_reason in ('rate_limit', 'unreachable')),
  -- Consecutive calls that failed because of the tool.
  failures integer not null default 0,
  -- The tool's rate limit as of its latest response: the number of calls, how many are left, and when the window ends.
  rate_limit integer,
  rate_remaining integer,
  rate_reset_at timestamptz(3),
  -- The start of a window whose end the tool has not reported. It lasts one minute.
  rate_window_start timestamptz(3),
  constraint connections_once unique (organization_id, provider)
);
create index connections_of_organization on connections (organization_id, created_at desc);
select tenant_isolation('connections');
-- Webhooks are received before their organization is known.
select system_readable('connections');
comment on table connections is
  'The connection of an organization to a task tool. Tokens are sealed. A disconnected one keeps its row without tokens.';

create table oauth_states (
  organization_id uuid not null,
  -- SHA-256 of the state that was sent through the browser.
  state_hash text not null,
  provider text not null,
  user_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (organization_id, state_hash)
);
select tenant_isolation('oauth_states');
select system_readable('oauth_states');
select system_deletable('oauth_states');
comment on table oauth_states is 'OAuth flows that have started. Each can be completed once, within 10 minutes, by the user who started it.';

-- ===== Integrations =====

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
  -- The order in which integrations are tried for a new ticket. Those without a position come last, oldest first.
  position integer,
  field_mappings jsonb not null,
  status_mappings jsonb not null,
  -- What a closed task means for the customer, by the status id of the list, if configured: 'finished' or 'not_planned'.
  closed_meanings jsonb not null default '{}',
  rules jsonb not null,
  comment_sync text not null check (comment_sync in ('both', 'to_task', 'to_ticket', 'none')),
  conflict_rule text not null check (conflict_rule in ('latest', 'help_desk', 'task')),
  on_task_finished text not null check (on_task_finished in ('tell_customer', 'set_status')),
  finished_reply text,
  is_active boolean not null default true,
  -- 'unavailable': the tool accepts the token but denies access to the list at the moment. The list is requested again
  -- with back-off (`next_check_at`, `probes`), and the integration resumes automatically.
  pause_reason text check (pause_reason in ('by_hand', 'connection_broken', 'unavailable', 'list_gone', 'loop')),
  -- A description of the cause where it is more specific than the reason.
  pause_detail text,
  unavailable_since timestamptz(3),
  probes integer not null default 0,
  -- The statuses of the list when they were last read.
  statuses jsonb not null,
  described_at timestamptz(3),
  -- The tool's plan does not allow custom fields: the task description contains the customer's address instead.
  custom_fields_refused boolean not null default false,
  -- The webhook at the tool, once it exists.
  webhook_id text,
  sealed_webhook_secret text,
  webhook_state text not null default 'missing' check (webhook_state in ('missing', 'active', 'failing', 'suspended')),
  -- When to check the webhook and the list next, and the time in the tool up to which all changes of the list are known.
  next_check_at timestamptz(3) not null default now(),
  list_read_until timestamptz(3),
  -- Tasks that leave a list are not reported, so all tasks are read from time to time. The latest complete scan; and the
  -- scan in progress: its start and the change time that it has reached.
  scanned_at timestamptz(3),
  scan_started_at timestamptz(3),
  scanned_until timestamptz(3),
  backfill_started_at timestamptz(3),
  backfill_finished_at timestamptz(3),
  backfill_total integer not null default 0,
  last_sync_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, connection_id, list_id)
);
create index integrations_of_connection on integrations (connection_id);
create index integrations_by_id on integrations (id);
create index integrations_to_check on integrations (next_check_at) where is_active;
create index integrations_to_probe on integrations (next_check_at) where not is_active and pause_reason in ('unavailable', 'list_gone');
select tenant_isolation('integrations');
-- For the sweep, and because a webhook does not name its organization.
select system_readable('integrations');
comment on table integrations is 'A list of the task tool that tickets sync with, and the settings of the sync.';

-- ===== Tickets and their tasks =====

create table ticket_copies (
  organization_id uuid not null,
  ticket_id uuid not null,
  -- The sequence of the event that wrote the row; older events are ignored.
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
comment on table ticket_copies is 'The tickets of organizations that have a connection, as the sync needs them.';

create table links (
  organization_id uuid not null,
  ticket_id uuid not null,
  integration_id uuid not null,
  connection_id uuid not null,
  -- 'unlinked': unlinked by a user, or the integration was removed. Never displayed, and no task is created automatically.
  state text not null check (state in ('creating', 'linked', 'gone', 'stopped', 'failed', 'unlinked')),
  task_id text,
  task_url text,
  -- One of the tickets that share a task has the primary link: it reads the task, and its ticket syncs every field.
  is_primary boolean not null default true,
  -- The tickets listed in the task description when it was last written; empty if the task has always had one ticket.
  listed_tickets text not null default '',
  -- Per field, the values of both sides when they last agreed, and a change that waits for the ticket. See merge/merge.ts.
  shadow jsonb not null default '{}',
  -- The task when it was last read.
  task jsonb,
  -- Times of the tool: of the task state that was read, and of the latest change that a webhook reported. If the second
  -- is later, the task must be read.
  task_read_at timestamptz(3),
  task_notified_at timestamptz(3),
  -- Comments reported by webhooks and not read yet, and the number of attempts that did not find them.
  pending_comment_ids text[] not null default '{}',
  comment_attempts smallint not null default 0,
  -- The time of the tool up to which every comment was reported. A task that changed later may have an unreported one.
  comments_read_until timestamptz(3),
  -- When a full scan of the list last contained the task.
  scanned_at timestamptz(3),
  -- The sequence of the ticket that was sent to the task.
  ticket_sequence bigint not null default 0,
  -- When the link is due (null: nothing to do), and its urgency: 0 a user waits, 1 change, 2 new ticket, 3 backfill.
  next_sync_at timestamptz(3),
  urgency smallint not null default 1,
  attempts integer not null default 0,
  -- Set before the task is created. If the result is unknown, the task is searched before another is created.
  create_started_at timestamptz(3),
  -- Not searched before: the request may still reach the tool.
  retry_search_at timestamptz(3),
  is_backfill boolean not null default false,
  -- Automatic writes in the current minute and hour, in both directions. More than users could cause indicates a loop.
  writes integer not null default 0,
  write_window_start timestamptz(3),
  hour_writes integer not null default 0,
  hour_window_start timestamptz(3),
  problem text,
  -- Set if the task is gone because its list was deleted, and not because a user deleted the task.
  deleted_list_id text,
  synced_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, ticket_id)
);
create unique index links_primary on links (organization_id, connection_id, task_id)
  where is_primary and task_id is not null and state not in ('unlinked', 'gone');
create index links_of_task on links (organization_id, connection_id, task_id) where task_id is not null and state <> 'unlinked';
create index links_sharing on links (organization_id, connection_id, task_id) where not is_primary and state <> 'unlinked';
create index links_of_integration on links (organization_id, integration_id, state);
-- The next links of a connection, most urgent first.
create index links_due on links (organization_id, connection_id, urgency, next_sync_at) where next_sync_at is not null;
-- For the sweep: the connections that have due links.
create index links_waiting on links (next_sync_at) where next_sync_at is not null;
-- The system's look-ups do not name an organization and so cannot use the primary key.
create index links_by_ticket on links (ticket_id);
-- Links with a field that the tool refused: few, and read by each sweep and each health check of an integration.
create index links_refused on links (organization_id, integration_id) where shadow @? '$.*.refused';
select tenant_isolation('links');
select system_readable('links');
comment on table links is 'A ticket and its task. A ticket has one link; several tickets may share a task.';

create table comment_links (
  organization_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  -- Null for a comment that was written in the task tool.
  comment_id uuid,
  -- Null until the comment has been sent to the task.
  external_id text,
  -- The text to send; removed when it has been sent.
  content text,
  -- Set before the comment is sent. If the result is unknown, the comment is searched before it is sent again.
  send_started_at timestamptz(3),
  -- Not searched before: the request may still reach the tool.
  retry_search_at timestamptz(3),
  state text not null check (state in ('pending', 'sent', 'failed', 'received')),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references links (organization_id, ticket_id) on delete cascade,
  unique (organization_id, comment_id),
  unique (organization_id, ticket_id, external_id)
);
create index comment_links_pending on comment_links (organization_id, ticket_id, created_at, id) where state = 'pending';
select tenant_isolation('comment_links');
comment on table comment_links is 'Comments that are copied from one side to the other, each once.';

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
create index sync_log_of_integration on sync_log (organization_id, integration_id, created_at desc, id desc);
create index sync_log_created_at on sync_log (created_at);
select tenant_isolation('sync_log');
select system_readable('sync_log');
select system_deletable('sync_log');
comment on table sync_log is 'The log of the sync that admins read. Entries are deleted after their retention period.';

-- ===== Webhooks =====

create table inbound_webhooks (
  id uuid primary key,
  organization_id uuid not null,
  connection_id uuid not null references connections (id) on delete cascade,
  -- SHA-256 of connection and body. Task tools deliver an event more than once, and ClickUp reuses its history ids.
  fingerprint text not null,
  body bytea not null,
  state text not null default 'stored' check (state in ('stored', 'done', 'failed')),
  -- Read from the body when it is processed.
  event text,
  task_id text,
  last_error text,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  unique (organization_id, connection_id, fingerprint)
);
-- The next batch of a connection.
create index inbound_webhooks_next on inbound_webhooks (organization_id, connection_id, received_at, id) where state = 'stored';
-- For the sweep: unprocessed ones, and processed ones whose retention period has ended.
create index inbound_webhooks_unfinished on inbound_webhooks (received_at) where state = 'stored';
create index inbound_webhooks_done on inbound_webhooks (received_at) where state <> 'stored';
select tenant_isolation('inbound_webhooks');
select system_readable('inbound_webhooks');
select system_deletable('inbound_webhooks');
comment on table inbound_webhooks is 'Verified webhooks as received: stored before they are answered, processed afterwards.';
