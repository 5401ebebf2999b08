-- The analytics service: figures that can be rebuilt from the events of the other services.

create table organizations (
  organization_id uuid primary key,
  time_zone text not null default 'UTC',
  -- The sequence of the event that wrote the time zone; 0 before the first one.
  sequence bigint not null default 0,
  -- Grows with every change of a figure. Starts at the current time, so that a rebuilt database does not repeat versions.
  version bigint not null default (extract(epoch from now()) * 1000)::bigint,
  total integer not null default 0 check (total >= 0),
  open integer not null default 0 check (open >= 0),
  resolved integer not null default 0 check (resolved >= 0),
  unassigned integer not null default 0 check (unassigned >= 0),
  -- When a sample of its roll-ups was last compared with a recount.
  recounted_at timestamptz(3) not null default now()
);
create index organizations_recounted_at on organizations (recounted_at);
select tenant_isolation('organizations');
select system_readable('organizations');
comment on table organizations is
  'The time zone of an organization and the counts of its dashboard, which are updated in the transaction that updates ticket_facts.';

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
comment on table members is 'A copy of identity''s members, for names of assignees and recipients of reports.';

create table ticket_facts (
  organization_id uuid not null,
  ticket_id uuid not null,
  ticket_number text not null,
  status text not null check (status in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  category text,
  tags text[] not null,
  channel text,
  assigned_to uuid,
  created_at timestamptz(3) not null,
  -- Day and hour in the organization's time zone.
  created_day date not null,
  created_hour smallint not null check (created_hour between 0 and 23),
  first_response_at timestamptz(3),
  resolved_at timestamptz(3),
  first_response_time_hours double precision,
  resolution_time_hours double precision,
  breached_at timestamptz(3),
  breached_day date,
  escalated_at timestamptz(3),
  reopen_count integer not null,
  public_reply_count integer not null,
  survey_sent_at timestamptz(3),
  rating smallint check (rating between 1 and 5),
  feedback text,
  rated_at timestamptz(3),
  -- The sequence of the event that wrote the ticket's fields; older events are ignored.
  sequence bigint not null,
  primary key (organization_id, ticket_id)
) with (fillfactor = 85);
create index ticket_facts_created on ticket_facts (organization_id, created_day, created_at, ticket_id);
create index ticket_facts_breached on ticket_facts (organization_id, breached_day) where breached_day is not null;
create index ticket_facts_unresolved on ticket_facts (organization_id) where status in ('open', 'in_progress', 'waiting_for_customer');
create index ticket_facts_feedback on ticket_facts (organization_id, rated_at) where feedback is not null;
select tenant_isolation('ticket_facts');
comment on table ticket_facts is 'What analytics needs of each ticket.';

create table ticket_moments (
  organization_id uuid not null,
  ticket_id uuid not null,
  kind text not null check (kind in ('resolved', 'reopened')),
  at timestamptz(3) not null,
  -- In the organization's time zone.
  day date not null,
  primary key (organization_id, ticket_id, at, kind)
);
create index ticket_moments_day on ticket_moments (organization_id, day);
select tenant_isolation('ticket_moments');
comment on table ticket_moments is 'When tickets were resolved (or closed without being resolved) and reopened.';

create table early_surveys (
  organization_id uuid not null,
  ticket_id uuid not null,
  survey_sent_at timestamptz(3),
  rating smallint,
  feedback text,
  rated_at timestamptz(3),
  primary key (organization_id, ticket_id)
);
select tenant_isolation('early_surveys');
comment on table early_surveys is 'Surveys whose events arrived before the first event of their ticket.';

create table day_roll_ups (
  organization_id uuid not null,
  dimension text not null check (dimension in ('all', 'priority', 'channel', 'category', 'assignee', 'tag')),
  -- The priority, channel, category, user id (or 'unassigned') or tag; empty for 'all'.
  key text not null,
  day date not null,
  -- How much the backlog grew on the day.
  backlog_growth integer not null,
  -- JSON (DayFigures and DayBreakdown). Stored in the row and uncompressed, since reading 90 days must be fast.
  figures text not null,
  breakdown text not null,
  primary key (organization_id, dimension, key, day) include (backlog_growth)
) with (toast_tuple_target = 8160);
alter table day_roll_ups alter figures set storage external, alter breakdown set storage external;
create index day_roll_ups_day on day_roll_ups (organization_id, day);
select tenant_isolation('day_roll_ups');
comment on table day_roll_ups is 'The figures of the tickets created on a day, and of what happened on it. Recomputed by the job roll_up_days.';

create table dirty_days (
  organization_id uuid not null,
  day date not null,
  marked_at timestamptz(3) not null default now(),
  primary key (organization_id, day)
);
create index dirty_days_marked_at on dirty_days (marked_at);
select tenant_isolation('dirty_days');
select system_readable('dirty_days');
comment on table dirty_days is 'Days whose roll-ups are out of date, marked in the transaction that changes the facts.';

create table rebuilds (
  organization_id uuid primary key,
  rebuild_id uuid not null,
  -- 'history' waits for the tickets service to send all tickets, 'days' computes the local days of all facts again.
  step text not null check (step in ('history', 'days', 'roll_ups')),
  -- The number of tickets, once the tickets service has sent them all.
  expected integer,
  -- The last ticket whose local days were computed.
  last_ticket_id uuid,
  started_at timestamptz(3) not null default now()
);
select tenant_isolation('rebuilds');
select system_readable('rebuilds');
comment on table rebuilds is 'Organizations whose figures are being computed again from the beginning.';

create table reports (
  organization_id uuid not null,
  id uuid not null,
  frequency text not null check (frequency in ('weekly', 'monthly')),
  recipient_ids uuid[] not null,
  created_by uuid not null,
  created_at timestamptz(3) not null,
  next_at timestamptz(3) not null,
  last_sent_at timestamptz(3),
  primary key (organization_id, id)
);
create index reports_next_at on reports (next_at);
select tenant_isolation('reports');
select system_readable('reports');
comment on table reports is 'Scheduled reports by email.';
