alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation', 'api_token_created',
    'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla', 'staff_delivery_failed', 'staff_digest',
    'staff_task_sync_failed', 'staff_custom_domain_lapsed', 'staff_webhook_failing', 'staff_report',
    'ticket_reply', 'ticket_waiting', 'ticket_resolved', 'survey_invitation', 'reply_refused'
  )
);
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated', 'delivery_failed', 'task_sync_failed',
    'custom_domain_lapsed', 'webhook_failing'
  )
);

create table webhook_endpoints (
  organization_id uuid not null,
  id uuid not null,
  url text not null,
  description text not null,
  -- Empty: all events.
  events text[] not null,
  condition jsonb,
  payload text not null check (payload in ('full', 'thin')),
  version text not null,
  include_internal_notes boolean not null,
  state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('failing', 'gone')),
  -- The first failure since the last success, the event that failed, and the latest failure of another event.
  failing_since timestamptz(3),
  failing_event_id uuid,
  other_failure_at timestamptz(3),
  last_success_at timestamptz(3),
  -- The last of the warnings (1, 24, 72 hours) that admins got since `failing_since`.
  warned_hours integer not null default 0,
  -- After 429, 502, 503, 504 or a timeout: one attempt at a time until a success.
  is_throttled boolean not null default false,
  -- The attempts in the current minute.
  window_started_at timestamptz(3),
  window_count integer not null default 0,
  sealed_secret text not null,
  secret_last_four text not null,
  sealed_previous_secret text,
  previous_secret_until timestamptz(3),
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The row stays until its pending deliveries are cancelled.
  deleted_at timestamptz(3),
  primary key (organization_id, id)
);
select tenant_isolation('webhook_endpoints');
select system_readable('webhook_endpoints');
comment on table webhook_endpoints is 'URLs that receive the events of an organization. Secrets are sealed.';

create table webhook_positions (
  organization_id uuid primary key,
  last bigint not null
);
select tenant_isolation('webhook_positions');
comment on table webhook_positions is
  'The last position in webhook_events. Its row lock orders the transactions of an organization, so that positions appear in order.';

create table webhook_events (
  organization_id uuid not null,
  -- The ID of the event in its envelope; without the prefix evt_.
  id uuid not null,
  -- The place in GET /changes, from 1 without gaps; null for samples.
  position bigint,
  type text not null,
  ticket_id uuid,
  ticket_number text,
  sequence integer not null,
  occurred_at timestamptz(3) not null,
  -- An internal note, or a change that only a note made.
  is_internal boolean not null,
  body text not null,
  thin_body text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index webhook_events_position on webhook_events (organization_id, position);
create index webhook_events_created_at on webhook_events (created_at);
select tenant_isolation('webhook_events');
select system_readable('webhook_events');
select system_deletable('webhook_events');
comment on table webhook_events is 'Public events with the bodies that webhooks send, for 30 days.';

create table webhook_deliveries (
  organization_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event text not null,
  ticket_id uuid,
  ticket_number text,
  payload text not null check (payload in ('full', 'thin')),
  state text not null check (state in ('pending', 'delivered', 'failed', 'skipped', 'cancelled')),
  cause text not null check (cause in ('event', 'redelivery', 'replay', 'test')),
  replay_id uuid,
  attempts integer not null default 0,
  last_status integer,
  last_error text,
  next_attempt_at timestamptz(3),
  -- During an attempt: until then no other worker makes one. Afterwards, its worker is considered dead.
  claimed_until timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
-- An event is delivered once per endpoint, and once per replay.
create unique index webhook_deliveries_of_event on webhook_deliveries (organization_id, endpoint_id, event_id) where cause = 'event';
create unique index webhook_deliveries_of_replay on webhook_deliveries (organization_id, replay_id, event_id) where replay_id is not null;
create index webhook_deliveries_other on webhook_deliveries (organization_id, endpoint_id, event_id) where cause <> 'event';
create index webhook_deliveries_latest on webhook_deliveries (organization_id, endpoint_id, created_at desc, id desc);
create index webhook_deliveries_unsuccessful on webhook_deliveries (organization_id, endpoint_id, state, created_at desc, id desc)
  where state <> 'delivered';
create index webhook_deliveries_of_ticket on webhook_deliveries (organization_id, ticket_id, created_at desc, id desc)
  where ticket_id is not null;
-- What the workers of an endpoint send next: replays last.
create index webhook_deliveries_due on webhook_deliveries (organization_id, endpoint_id, (cause = 'replay'), next_attempt_at)
  where state = 'pending';
-- Tests are also sent to paused endpoints, whose other deliveries wait.
create index webhook_deliveries_tests on webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
  where state = 'pending' and cause = 'test';
create index webhook_deliveries_claimed on webhook_deliveries (organization_id, endpoint_id) where claimed_until is not null;
create index webhook_deliveries_created_at on webhook_deliveries (created_at);
select tenant_isolation('webhook_deliveries');
select system_readable('webhook_deliveries');
select system_deletable('webhook_deliveries');
comment on table webhook_deliveries is 'Deliveries of events to endpoints, stored before they are sent, for 30 days.';

create table webhook_attempts (
  organization_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  at timestamptz(3) not null,
  duration_ms double precision not null,
  status integer,
  error text,
  remote_address text,
  request_headers jsonb not null,
  response_headers jsonb,
  response_body text,
  primary key (organization_id, delivery_id, number)
);
create index webhook_attempts_at on webhook_attempts (at);
select tenant_isolation('webhook_attempts');
select system_readable('webhook_attempts');
select system_deletable('webhook_attempts');
comment on table webhook_attempts is 'Every attempt of a delivery with its response, for 30 days.';

create table webhook_replays (
  organization_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  which text not null check (which in ('missed', 'failed', 'all')),
  state text not null default 'running' check (state in ('running', 'paused', 'cancelled', 'done')),
  total integer not null,
  sent integer not null default 0,
  -- The position of the last event that was sent.
  last_position bigint not null default 0,
  next_batch_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create index webhook_replays_latest on webhook_replays (organization_id, endpoint_id, created_at desc);
create index webhook_replays_running on webhook_replays (next_batch_at) where state = 'running';
create index webhook_replays_created_at on webhook_replays (created_at);
select tenant_isolation('webhook_replays');
select system_readable('webhook_replays');
select system_deletable('webhook_replays');
comment on table webhook_replays is 'Events of a period that are sent to an endpoint again.';

create table webhook_hours (
  organization_id uuid not null,
  endpoint_id uuid not null,
  hour timestamptz(3) not null,
  delivered integer not null default 0,
  failed integer not null default 0,
  -- Successful attempts by duration, in the buckets of webhook-health.ts.
  durations integer[] not null default '{}',
  primary key (organization_id, endpoint_id, hour)
);
create index webhook_hours_hour on webhook_hours (hour);
select tenant_isolation('webhook_hours');
select system_readable('webhook_hours');
select system_deletable('webhook_hours');
comment on table webhook_hours is 'Attempts per endpoint and hour, for its health.';
