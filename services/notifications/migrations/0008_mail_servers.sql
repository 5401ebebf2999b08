create table mail_servers (
  organization_id uuid primary key,
  host text not null,
  port integer not null,
  security text not null check (security in ('tls', 'starttls', 'none')),
  -- Null without sign-in.
  username text,
  sealed_password text,
  from_address text not null,
  tested_at timestamptz(3) not null default now(),
  -- Null while the server works.
  failing_since timestamptz(3),
  last_error text,
  -- While the server fails, only one email tries again, at this time.
  retry_at timestamptz(3),
  warned_hours integer not null default 0,
  check ((username is null) = (sealed_password is null))
);
select tenant_isolation('mail_servers');
-- A starting process reads which encryption keys the sealed values need.
select system_readable('mail_servers');
comment on table mail_servers is 'SMTP servers of organizations, for emails to their customers. Passwords are sealed.';

alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation', 'api_token_created',
    'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla', 'staff_snooze_ended', 'staff_delivery_failed', 'staff_digest',
    'staff_task_sync_failed', 'staff_custom_domain_lapsed', 'staff_sender_domain_lapsed', 'staff_mail_server_failing',
    'staff_webhook_failing', 'staff_report',
    'ticket_reply', 'ticket_waiting', 'ticket_resolved', 'survey_invitation', 'reply_refused'
  )
);
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated', 'snooze_ended', 'delivery_failed',
    'task_sync_failed', 'custom_domain_lapsed', 'sender_domain_lapsed', 'mail_server_failing', 'webhook_failing'
  )
);
