-- Mails of the customer's side, reports of failure, and digests for staff.
alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation',
    'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla', 'staff_delivery_failed', 'staff_digest',
    'ticket_reply', 'ticket_waiting', 'ticket_resolved', 'survey_invitation', 'reply_refused'
  )
);
alter table emails drop constraint emails_state_check;
alter table emails add constraint emails_state_check check (state in ('pending', 'sending', 'sent', 'failed', 'bounced'));
-- Not before: a digest gathers until then.
alter table emails add column due_at timestamptz;
alter table account_emails add column due_at timestamptz;

-- How many mails somebody got lately.
create index emails_to_address on emails (organization_id, to_address, created_at);

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check
  check (kind in ('assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated', 'delivery_failed'));

-- What mails to customers look like; the newest of its events.
create table branding (
  organization_id uuid primary key,
  branding jsonb not null,
  sequence bigint not null
);
select tenant_isolation('branding');

-- Message-IDs of what customers wrote by mail: answers name them, so that their mail program shows one conversation.
create table received_messages (
  organization_id uuid not null,
  ticket_id uuid not null,
  message_id text not null,
  mail_references text[] not null default '{}',
  subject text,
  received_at timestamptz(3) not null,
  primary key (organization_id, ticket_id, message_id)
);
select tenant_isolation('received_messages');
create index received_messages_latest on received_messages (organization_id, ticket_id, received_at desc);

-- Addresses that sent a mail back for good: nothing goes there until somebody on the staff tries again.
create table bounced_addresses (
  organization_id uuid not null,
  address text not null,
  reason text,
  bounced_at timestamptz(3) not null,
  primary key (organization_id, address)
);
select tenant_isolation('bounced_addresses');

-- A customer is asked once per ticket what they thought of it.
create table survey_invitations (
  organization_id uuid not null,
  ticket_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, ticket_id)
);
select tenant_isolation('survey_invitations');

-- Who is told when a mail to a customer does not arrive, as of the newest change that was announced. `version`: of the ticket.
create table ticket_followers (
  organization_id uuid not null,
  ticket_id uuid not null,
  ticket_number text not null,
  subject text not null,
  assigned_to uuid,
  watchers uuid[] not null default '{}',
  version integer not null,
  primary key (organization_id, ticket_id)
);
select tenant_isolation('ticket_followers');
