-- The notifications service: emails, and notifications of staff.

-- ===== Copies from other services =====

create table organizations (
  organization_id uuid primary key,
  name text not null,
  subdomain text,
  -- The sequence of the event that wrote the row; older events are ignored.
  sequence integer not null
);
select tenant_isolation('organizations');
comment on table organizations is 'Names and subdomains of organizations, for signatures and links.';

create table branding (
  organization_id uuid primary key,
  branding jsonb not null,
  sequence bigint not null
);
select tenant_isolation('branding');
comment on table branding is 'The branding of emails to customers.';

create table members (
  organization_id uuid not null,
  user_id uuid not null,
  email text not null,
  first_name text,
  last_name text,
  role text not null check (role in ('admin', 'manager', 'agent')),
  is_active boolean not null,
  sequence bigint not null,
  primary key (organization_id, user_id)
);
select tenant_isolation('members');
comment on table members is 'Members that notifications can be sent to.';

create table ticket_followers (
  organization_id uuid not null,
  ticket_id uuid not null,
  ticket_number text not null,
  subject text not null,
  assigned_to uuid,
  watchers uuid[] not null default '{}',
  -- The version of the ticket.
  version integer not null,
  primary key (organization_id, ticket_id)
);
select tenant_isolation('ticket_followers');
comment on table ticket_followers is 'Members to notify if an email to the customer of a ticket is not delivered.';

-- ===== Emails =====

create table emails (
  id uuid primary key,
  organization_id uuid not null,
  kind text not null check (
    kind in (
      'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
      'password_reset', 'confirm_email_change', 'account_changed', 'invitation',
      'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla', 'staff_delivery_failed', 'staff_digest',
      'staff_task_sync_failed', 'staff_custom_domain_lapsed', 'staff_report',
      'ticket_reply', 'ticket_waiting', 'ticket_resolved', 'survey_invitation', 'reply_refused'
    )
  ),
  to_address text not null,
  -- The data of the template. Secrets in it are sealed, and removed when the email has been sent.
  data jsonb not null,
  ticket_id uuid,
  -- The event that caused it: one email of a kind per event and address, even if the event is delivered again.
  event_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed', 'bounced')),
  -- Not sent before: a digest collects notifications until then.
  due_at timestamptz,
  -- While `sending`: no other worker may send the email until then. Afterwards, its worker is considered dead.
  claimed_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  message_id text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (event_id, kind, to_address)
);
-- For the sweep, which restores jobs that Redis has lost.
create index emails_unfinished on emails (created_at) where state in ('pending', 'sending');
create index emails_of_ticket on emails (organization_id, ticket_id, created_at) where ticket_id is not null;
-- The number of emails that an address has recently received.
create index emails_to_address on emails (organization_id, to_address, created_at);
select tenant_isolation('emails');
select system_readable('emails');
comment on table emails is 'Emails of an organization, stored before they are sent; the delivery log of a ticket.';

create table account_emails (
  id uuid primary key,
  organization_id uuid check (organization_id is null),
  kind text not null check (kind in ('confirm_email', 'account_exists', 'password_reset', 'confirm_email_change', 'account_changed')),
  to_address text not null,
  data jsonb not null,
  ticket_id uuid,
  event_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),
  due_at timestamptz,
  claimed_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  message_id text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (event_id, kind, to_address)
);
create index account_emails_created_at_idx on account_emails (created_at) where state in ('pending', 'sending');
comment on table account_emails is 'tenancy: none — emails about a user’s own account, who may have no organization. The columns are those of emails.';

create table received_messages (
  organization_id uuid not null,
  ticket_id uuid not null,
  message_id text not null,
  mail_references text[] not null default '{}',
  subject text,
  received_at timestamptz(3) not null,
  primary key (organization_id, ticket_id, message_id)
);
create index received_messages_latest on received_messages (organization_id, ticket_id, received_at desc);
select tenant_isolation('received_messages');
comment on table received_messages is
  'Message-IDs of emails from customers. Replies refer to them, so that mail programs show one conversation.';

create table bounced_addresses (
  organization_id uuid not null,
  address text not null,
  reason text,
  bounced_at timestamptz(3) not null,
  primary key (organization_id, address)
);
select tenant_isolation('bounced_addresses');
comment on table bounced_addresses is 'Addresses that permanently reject email. They receive none until a member retries.';

create table survey_invitations (
  organization_id uuid not null,
  ticket_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, ticket_id)
);
select tenant_isolation('survey_invitations');
comment on table survey_invitations is 'Tickets whose customer has been asked for a rating, which happens once.';

-- ===== Notifications of staff =====

create table notifications (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (
    kind in (
      'assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated', 'delivery_failed', 'task_sync_failed',
      'custom_domain_lapsed'
    )
  ),
  -- Null for problems of the task sync and of the custom domain.
  ticket_id uuid,
  ticket_number text,
  subject text not null,
  actor_name text,
  -- The event that caused it: one notification per event and user, even if the event is delivered again.
  event_id uuid not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (organization_id, id),
  unique (organization_id, user_id, event_id)
);
create index notifications_created_at on notifications (created_at);
create index notifications_of_person on notifications (organization_id, user_id, created_at desc, id desc);
create index notifications_unread on notifications (organization_id, user_id, ticket_id) where read_at is null;
select tenant_isolation('notifications');
-- The cleanup deletes old notifications of all organizations.
select system_readable('notifications');
select system_deletable('notifications');
comment on table notifications is 'Notifications in the app, one per recipient.';

create table notification_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  preferences jsonb not null,
  primary key (organization_id, user_id)
);
select tenant_isolation('notification_preferences');
comment on table notification_preferences is 'What a user wants to be notified of, and how. Without a row: everything, in the app and by email.';

create table task_sync_alerts (
  organization_id uuid not null,
  -- The ID of the integration or of the connection.
  subject text not null,
  problem text not null,
  notified_at timestamptz(3) not null,
  primary key (organization_id, subject, problem)
);
select tenant_isolation('task_sync_alerts');
comment on table task_sync_alerts is 'When admins were last notified of a problem of the task sync: at most once an hour.';
