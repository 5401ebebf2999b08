-- The tickets service: tickets, their conversation, and what happens to them.
--
-- Functions and triggers are in repeatable/. Every table begins its indexes with organization_id, because row-level security adds it to
-- every query. Times have milliseconds, as in JSON, so that a cursor taken from a response matches its row.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- ===== Copies from identity =====

create table organizations (
  organization_id uuid primary key,
  name text not null,
  subdomain text,
  ticket_prefix text not null check (char_length(ticket_prefix) between 1 and 10),
  time_zone text not null default 'UTC',
  business_hours jsonb,
  holidays jsonb not null default '[]',
  auto_assign boolean not null default false,
  default_priority text not null default 'medium' check (default_priority in ('low', 'medium', 'high', 'urgent')),
  customer_follow_up text not null default 'locked' check (customer_follow_up in ('locked', 'reopen', 'new_ticket')),
  instant_lookup boolean not null default false,
  -- The sequence of the event that wrote the row; older events are ignored.
  sequence bigint not null
);
select tenant_isolation('organizations');
comment on table organizations is 'Organizations and their settings, copied from identity.';

create table members (
  organization_id uuid not null,
  user_id uuid not null,
  email text not null,
  first_name text,
  last_name text,
  role text not null default 'agent' check (role in ('admin', 'manager', 'agent')),
  is_active boolean not null,
  sequence bigint not null,
  primary key (organization_id, user_id)
);
select tenant_isolation('members');
comment on table members is 'Members that tickets can be assigned to, copied from identity.';

create table widgets (
  organization_id uuid primary key,
  identity_required boolean not null,
  sealed_secret text,
  -- Separate from the sequence in organizations, because the settings of the widget have their own events.
  sequence bigint not null
);
select tenant_isolation('widgets');
comment on table widgets is 'Settings of the widget that decide whether its customers are verified, copied from identity.';

-- ===== Tickets =====

create table ticket_counters (
  organization_id uuid primary key,
  -- Follows the organization's prefix only until it has a ticket.
  prefix text not null,
  last_number integer not null default 0 check (last_number >= 0)
);
select tenant_isolation('ticket_counters');
comment on table ticket_counters is
  'The last ticket number of each organization. The row is locked until the numbered ticket is committed, so numbers have no gaps.';

create table tickets (
  organization_id uuid not null,
  id uuid not null,
  ticket_number text not null,
  subject text not null check (char_length(subject) between 1 and 255),
  description text check (char_length(description) <= 100000),
  description_preview text generated always as (left(description, 200)) stored,
  status text not null default 'open' check (status in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high', 'urgent')),
  -- Lists sort by it: as text, 'high' would come before 'low' and 'medium'.
  priority_rank smallint not null generated always as (
    case priority when 'urgent' then 4 when 'high' then 3 when 'medium' then 2 else 1 end
  ) stored,
  category text check (char_length(category) <= 100),
  tags text[] not null default '{}' check (cardinality(tags) <= 20),
  channel text check (channel in ('staff', 'portal', 'email', 'widget', 'api')),
  customer_name text check (char_length(customer_name) <= 200),
  customer_email text not null check (char_length(customer_email) <= 254 and customer_email = lower(customer_email)),
  -- Whether the website that contains the widget has signed the customer's identity.
  customer_verified boolean not null default false,
  assigned_to uuid,
  watchers uuid[] not null default '{}' check (cardinality(watchers) <= 50),
  comment_count integer not null default 0 check (comment_count >= 0),
  public_reply_count integer not null default 0 check (public_reply_count >= 0),
  reopen_count integer not null default 0 check (reopen_count >= 0),
  merged_into_id uuid,
  -- The closed ticket that this one continues.
  follow_up_of_id uuid,
  -- SLA times as lists show them; sla_clocks has the state of the timers. `next_due_at` is null if no timer runs.
  first_response_at timestamptz(3),
  response_due_at timestamptz(3),
  resolution_due_at timestamptz(3),
  next_due_at timestamptz(3),
  sla_paused_since timestamptz(3),
  sla_breached_at timestamptz(3),
  escalated_at timestamptz(3),
  -- In working time, without pauses.
  first_response_time_hours double precision check (first_response_time_hours >= 0),
  resolution_time_hours double precision check (resolution_time_hours >= 0),
  -- Resolved with exactly one public comment by staff.
  is_one_touch boolean not null generated always as (resolution_time_hours is not null and public_reply_count = 1) stored,
  -- The linked task, {provider, task_id, url}, of any tool. `clickup_task_id` is also set if the tool is ClickUp.
  task jsonb,
  clickup_task_id text,
  -- The sequence of the event that last linked or unlinked the task; older events are ignored.
  task_sequence bigint not null default 0,
  -- Set while the task is finished and the customer has not been notified, and how it ended.
  task_finished_at timestamptz(3),
  task_outcome text not null default 'finished' check (task_outcome in ('finished', 'not_planned')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  version integer not null default 1 check (version >= 1),
  primary key (organization_id, id),
  unique (organization_id, ticket_number),
  constraint merged_into_another foreign key (organization_id, merged_into_id) references tickets (organization_id, id),
  check (merged_into_id <> id)
);
select tenant_isolation('tickets');
-- Only for the function find_tickets_by_text, see repeatable/ticket_search.sql.
create policy owner_reads_for_search on tickets for select to current_user using (true);
comment on table tickets is 'Tickets.';

-- The indexes of the list. Every change of a ticket changes updated_at, which is indexed, so every change writes to every index (no "HOT"
-- updates). Therefore there is no index per pair of filters, but the smallest set that serves all of them. ticket-list.store.ts combines
-- one branch per status, each read in the order of its index, so `status` as the first column serves queries with and without it. None of
-- the indexes contains a column that grows, and none is a GIN index (see ticket_texts).

create index tickets_newest on tickets (organization_id, created_at desc, id desc);
create index tickets_by_status on tickets (organization_id, status, created_at desc, id desc);
create index tickets_by_priority on tickets (organization_id, status, priority_rank desc, created_at desc, id desc);
create index tickets_by_update on tickets (organization_id, status, updated_at desc, id desc);
-- Small: closed tickets have no timer. They sort last, by age, which tickets_by_status provides. `case`, because PostgreSQL does not
-- consider `coalesce` leakproof: under row-level security a cursor could not use the index.
create index tickets_by_due on tickets (
  organization_id, status, (case when next_due_at is null then 'infinity'::timestamptz else next_due_at end), created_at, id
) where status in ('open', 'in_progress', 'waiting_for_customer');
-- With the status, because few of a member's thousands of tickets are open.
create index tickets_by_assignee on tickets (organization_id, assigned_to, status, created_at desc, id desc);
-- In an index, `assigned_to is null` is not an equality that preserves the order.
create index tickets_unassigned on tickets (organization_id, status, created_at desc, id desc) where assigned_to is null;
create index tickets_by_category on tickets (organization_id, category, status, created_at desc, id desc) where category is not null;
create index tickets_by_customer on tickets (organization_id, customer_email, created_at desc, id desc);
create index tickets_linked on tickets (organization_id, status, created_at desc, id desc) where task is not null;
create index tickets_unlinked on tickets (organization_id, status, created_at desc, id desc) where task is null;
create index tickets_finished_task on tickets (organization_id, status, created_at desc, id desc) where task_finished_at is not null;

create index tickets_breached on tickets (organization_id, sla_breached_at) where sla_breached_at is not null;

create table ticket_tags (
  organization_id uuid not null,
  tag text not null,
  -- Copied from the ticket, so that the few open tickets with a common tag are found without reading all closed ones.
  status text not null,
  created_at timestamptz(3) not null,
  ticket_id uuid not null,
  primary key (organization_id, ticket_id, tag),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index ticket_tags_newest on ticket_tags (organization_id, tag, status, created_at desc, ticket_id desc);
select tenant_isolation('ticket_tags');
comment on table ticket_tags is
  'tickets.tags as rows, written by a trigger. Array operators are not leakproof, so row-level security prevents their use of an index.';

create table open_periods (
  organization_id uuid not null,
  ticket_id uuid not null,
  -- When the ticket was created or reopened.
  opened_at timestamptz(3) not null,
  is_reopened boolean not null default false,
  -- When it was resolved, or closed without being resolved; until then 'infinity', so that one range finds all that were open at a time.
  resolved_at timestamptz(3) not null default 'infinity',
  primary key (organization_id, ticket_id, opened_at),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index open_periods_by_end on open_periods (organization_id, resolved_at, opened_at, ticket_id);
create index open_periods_reopened on open_periods (organization_id, opened_at, ticket_id) where is_reopened;
select tenant_isolation('open_periods');
comment on table open_periods is 'The periods in which a ticket was neither resolved nor closed. Their ends are the moments that analytics counts per day.';

create table ticket_texts (
  organization_id uuid not null,
  -- Of the ticket. The primary key read backwards is the order of the list.
  created_at timestamptz(3) not null,
  ticket_id uuid not null,
  -- The ID of the comment, or of the ticket itself.
  source_id uuid not null,
  -- Subject, customer name, customer address and number, separated by the unit separator so that a match cannot span two of them.
  search_text text,
  words tsvector not null,
  primary key (organization_id, created_at, ticket_id, source_id)
);
-- `fastupdate` stays on (without it an insert costs six times as much), but every search reads the pending entries: at most 1 MB of them
-- instead of 4.
create index ticket_texts_search on ticket_texts using gin (organization_id, search_text gin_trgm_ops, words)
  with (gin_pending_list_limit = 1024);
select tenant_isolation('ticket_texts');
create policy owner_reads_for_search on ticket_texts for select to current_user using (true);
-- Not columns of tickets: every change of a ticket would then write to the GIN indexes, which are by far the most expensive.
comment on table ticket_texts is 'Searchable texts, written by triggers: one row per ticket and one per comment.';

create table views (
  organization_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  filter jsonb not null,
  is_shared boolean not null,
  owner_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create index views_of_owner on views (organization_id, owner_id);
select tenant_isolation('views');
comment on table views is 'Saved filters of the ticket list.';

-- ===== Conversation =====

create table comments (
  organization_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  content text not null check (char_length(content) between 1 and 100000),
  is_internal boolean not null,
  is_from_customer boolean not null,
  user_id uuid,
  -- The customer, or the unknown sender of an email that became an internal comment.
  customer_email text,
  mentions uuid[] not null default '{}' check (cardinality(mentions) <= 20),
  -- Set if the comment was moved here when its ticket was merged.
  merged_from_id uuid,
  -- Whether mail_originals has the email.
  has_original boolean not null default false,
  -- {matched_by, checks}; null for comments that did not arrive by email.
  email_proof jsonb,
  -- The author in the task tool: {name, tool_name}.
  tool_author jsonb,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  -- The key includes the organization, so a comment cannot belong to another organization's ticket.
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade,
  check (not (is_internal and is_from_customer)),
  check (not (is_from_customer and user_id is not null)),
  constraint comments_customer_email_check check (
    case when is_from_customer then customer_email is not null else customer_email is null or (is_internal and user_id is null) end
  )
);
create index comments_of_ticket on comments (organization_id, ticket_id, created_at, id);
-- For the customer's view of a conversation, which skips internal comments.
create index comments_of_customer on comments (organization_id, ticket_id, created_at, id) where not is_internal;
select tenant_isolation('comments');
comment on table comments is 'Replies and internal comments of a ticket.';

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
create index activities_of_ticket on activities (organization_id, ticket_id, created_at desc, id desc);
select tenant_isolation('activities');
comment on table activities is
  'The history of a ticket apart from its comments. Entries are written in the transaction of the change and never updated.';

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
-- A merge moves all drafts of a ticket.
create index drafts_of_ticket on drafts (organization_id, ticket_id);
select tenant_isolation('drafts');
comment on table drafts is 'Unsent comments, one per user and ticket.';

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
create index macros_of_owner on macros (organization_id, owner_id);
select tenant_isolation('macros');
comment on table macros is 'Prepared comments with changes of the ticket.';

create table attachments (
  organization_id uuid not null,
  id uuid not null,
  file_name text not null check (char_length(file_name) between 1 and 200),
  size integer not null check (size between 1 and 20971520),
  -- Detected from the bytes; null until they have been uploaded.
  content_type text,
  -- The member who uploads the file, and the only one who can use it; null for an API token or a customer.
  user_id uuid,
  from_customer boolean not null default false,
  -- Both null: unused, deleted after a day. Without a comment: part of the ticket's description.
  ticket_id uuid,
  comment_id uuid,
  -- The signed upload URL works once: set when the upload starts, whether or not it succeeds.
  upload_started_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete set null (ticket_id),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on delete set null (comment_id),
  check (comment_id is null or ticket_id is not null),
  check (ticket_id is null or content_type is not null)
);
create index attachments_of_ticket on attachments (organization_id, ticket_id) where ticket_id is not null;
create index attachments_of_comment on attachments (organization_id, comment_id) where comment_id is not null;
create index attachments_unused on attachments (created_at) where ticket_id is null;
create index attachments_unused_of_person on attachments (organization_id, user_id) where ticket_id is null;
select tenant_isolation('attachments');
-- The sweep deletes unused files of all organizations.
select system_readable('attachments');
comment on table attachments is 'Files. The bytes are in the file storage under {organization_id}/{id}.';

create table surveys (
  organization_id uuid not null,
  ticket_id uuid not null,
  customer_email text not null,
  rating smallint not null check (rating between 1 and 5),
  feedback text check (char_length(feedback) <= 5000),
  created_at timestamptz(3) not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('surveys');
comment on table surveys is 'Ratings by customers, one per ticket.';

create table sent_surveys (
  organization_id uuid not null,
  ticket_id uuid not null,
  sent_at timestamptz(3) not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('sent_surveys');
comment on table sent_surveys is 'When the survey of a ticket was first sent, copied from notifications.';

-- ===== SLA and assignment =====

create table sla_policies (
  organization_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  priority_level text not null check (priority_level in ('low', 'medium', 'high', 'urgent')),
  response_time_hours integer not null check (response_time_hours between 1 and 8760),
  resolution_time_hours integer not null check (resolution_time_hours between 1 and 8760),
  escalation_enabled boolean not null,
  escalation_time_hours integer not null check (escalation_time_hours between 1 and 8760),
  is_active boolean not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create unique index one_active_policy_of_a_priority on sla_policies (organization_id, priority_level) where is_active;
select tenant_isolation('sla_policies');
comment on table sla_policies is 'Response and resolution times, at most one active policy per priority.';

create table sla_clocks (
  organization_id uuid not null,
  ticket_id uuid not null,
  -- The policy as it was when the timers were set.
  policy_id uuid not null,
  policy_name text not null,
  response_time_hours integer not null,
  resolution_time_hours integer not null,
  -- Working time in which the timers were paused, in milliseconds, without a pause that has not ended.
  paused_ms bigint not null default 0 check (paused_ms >= 0),
  response_warned_at timestamptz(3),
  response_breached_at timestamptz(3),
  resolution_warned_at timestamptz(3),
  resolution_breached_at timestamptz(3),
  -- When the ticket was resolved or closed: the timers keep their remaining time. Null while the ticket is open.
  stopped_at timestamptz(3),
  -- Null if the ticket does not escalate.
  escalates_at timestamptz(3),
  -- The next time at which the sweep has something to do; null if there is nothing to do until the ticket changes.
  check_at timestamptz(3),
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index sla_clocks_due on sla_clocks (check_at) where check_at is not null;
select tenant_isolation('sla_clocks');
select system_readable('sla_clocks');
comment on table sla_clocks is 'The state of the SLA timers of a ticket.';

create table member_loads (
  organization_id uuid not null,
  user_id uuid not null,
  open_tickets integer not null default 0 check (open_tickets >= 0),
  -- Of members with equal load, the one who waited longest is next.
  last_assigned_at timestamptz,
  primary key (organization_id, user_id)
);
select tenant_isolation('member_loads');
comment on table member_loads is
  'The number of open tickets of each member, written by a trigger so that automatic assignment need not count.';

create table pending_unassignments (
  organization_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
select tenant_isolation('pending_unassignments');
select system_readable('pending_unassignments');
comment on table pending_unassignments is 'Inactive members whose open tickets are being unassigned. The row is deleted when all of them are.';

-- ===== Incoming email =====

create table mail_labels (
  organization_id uuid not null,
  label text not null,
  -- When the organization last had the subdomain. If several had it, the latest receives its email.
  last_used_at timestamptz(3) not null,
  primary key (organization_id, label)
);
create index mail_labels_by_label on mail_labels (label, last_used_at desc);
select tenant_isolation('mail_labels');
-- The organization is found by the recipient.
select system_readable('mail_labels');
comment on table mail_labels is
  'The labels in support@{label}.{mail domain}: every subdomain that an organization has had. Its ID works, too, without a row.';

create table inbound_mails (
  organization_id uuid not null,
  id uuid not null,
  -- The recipient and the sender of the envelope. The sender of a delivery report is empty.
  to_address text not null,
  envelope_from text not null,
  size integer not null,
  from_address text,
  -- The mailbox of the sender, normalized: lower case, without +tag.
  sender_mailbox text,
  subject text,
  message_id text,
  -- For SPF: the address of the SMTP client and the name it sent (EHLO). Null for fetched email and behind a trusted relay.
  client_address text,
  client_name text,
  -- {spf, dkim, dmarc, policy}
  checks jsonb,
  -- SHA-256 of the content and the Message-ID. An email that arrives on two routes has different bytes, but this is equal.
  content_hash text,
  -- SHA-256 of the bytes and the recipient, so that an email that the client sends again is stored once.
  digest text not null,
  outcome text check (outcome in ('ticket', 'comment', 'note', 'bounce', 'ignored', 'refused')),
  reason text,
  ticket_id uuid,
  comment_id uuid,
  received_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, digest)
);
create index inbound_mails_waiting on inbound_mails (received_at) where outcome is null;
-- The size of an organization's backlog, checked before an email is accepted.
create index inbound_mails_waiting_of on inbound_mails (organization_id) include (size) where outcome is null;
-- The number of tickets that were recently opened by email.
create index inbound_mails_opening on inbound_mails (organization_id, received_at) where outcome = 'ticket';
create index inbound_mails_latest on inbound_mails (organization_id, received_at desc, id desc);
create index inbound_mails_old on inbound_mails (received_at);
-- The number of tickets that a sender has recently opened, and whether the sender has written before.
create index inbound_mails_of_sender on inbound_mails (organization_id, sender_mailbox, received_at) where sender_mailbox is not null;
create index inbound_mails_of_message on inbound_mails (organization_id, message_id) where message_id is not null;
select tenant_isolation('inbound_mails');
select system_readable('inbound_mails');
select system_deletable('inbound_mails');
comment on table inbound_mails is 'Emails, stored before their receipt is confirmed.';

create table inbound_mail_pieces (
  organization_id uuid not null,
  inbound_id uuid not null,
  position integer not null check (position >= 0),
  bytes bytea storage external not null,
  primary key (organization_id, inbound_id, position),
  foreign key (organization_id, inbound_id) references inbound_mails (organization_id, id) on delete cascade
);
select tenant_isolation('inbound_mail_pieces');
-- In pieces, because writing or reading 25 MB as one value would block the service's event loop.
comment on table inbound_mail_pieces is
  'The bytes of emails, in order. Deleted when the email has been processed; kept if that failed. None if the email was too large.';

create table mail_originals (
  organization_id uuid not null,
  ticket_id uuid not null,
  -- Null for the email that opened the ticket.
  comment_id uuid,
  from_address text,
  subject text,
  sent_at timestamptz(3),
  text text not null,
  quoted_text text,
  html text,
  created_at timestamptz(3) not null default now(),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade,
  unique nulls not distinct (organization_id, ticket_id, comment_id)
);
select tenant_isolation('mail_originals');
comment on table mail_originals is 'The full content of an email, of which the conversation shows only the new text.';

create table mailboxes (
  organization_id uuid primary key,
  id uuid not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text not null,
  -- Sealed with the purpose `mailbox`.
  sealed_password text not null,
  folder text not null,
  is_active boolean not null,
  last_polled_at timestamptz(3),
  last_error text,
  -- While a process reads it.
  claimed_until timestamptz(3),
  updated_at timestamptz(3) not null default now()
);
select tenant_isolation('mailboxes');
select system_readable('mailboxes');
comment on table mailboxes is 'Mailboxes that are read by IMAP, one per organization.';

-- ===== Tasks =====

create table task_comments (
  organization_id uuid not null,
  -- The ticket that the comment was received for. A merge may have moved the comment to another one.
  ticket_id uuid not null,
  external_id text not null,
  primary key (organization_id, ticket_id, external_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('task_comments');
comment on table task_comments is 'Comments of tasks that have been added to tickets: the same one can arrive in several events.';

create table ticket_exports (
  organization_id uuid not null,
  purpose text not null check (purpose in ('task_tool', 'analytics')),
  -- The connection to the task tool, or the rebuild of analytics.
  request_id uuid not null,
  last_id uuid,
  exported_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, purpose, request_id)
);
select tenant_isolation('ticket_exports');
select system_readable('ticket_exports');
comment on table ticket_exports is 'Exports of all existing tickets, and their progress.';
