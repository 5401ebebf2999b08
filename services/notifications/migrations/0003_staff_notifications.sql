-- Whom staff notifications can reach. `sequence`: of the event that wrote the row.
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

create table notifications (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated')),
  ticket_id uuid not null,
  ticket_number text not null,
  subject text not null,
  actor_name text,
  -- The event that caused it: a person is told once of it, however often it arrives.
  event_id uuid not null,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  primary key (organization_id, id),
  unique (organization_id, user_id, event_id)
);
select tenant_isolation('notifications');
-- What is past its time goes.
select system_readable('notifications');
select system_deletable('notifications');
create index notifications_created_at on notifications (created_at);
create index notifications_of_person on notifications (organization_id, user_id, created_at desc, id desc);
create index notifications_unread on notifications (organization_id, user_id, ticket_id) where read_at is null;

-- No row: everything, both ways.
create table notification_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  preferences jsonb not null,
  primary key (organization_id, user_id)
);
select tenant_isolation('notification_preferences');

-- Mails to staff about tickets.
alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation',
    'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla'
  )
);
