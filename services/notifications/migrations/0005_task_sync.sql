-- Admins hear when the sync with the task tool needs them: a notice and a mail that may be about no ticket.
alter table notifications alter column ticket_id drop not null;
alter table notifications alter column ticket_number drop not null;
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated', 'delivery_failed', 'task_sync_failed'
  )
);
alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation',
    'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla', 'staff_delivery_failed', 'staff_digest',
    'staff_task_sync_failed',
    'ticket_reply', 'ticket_waiting', 'ticket_resolved', 'survey_invitation', 'reply_refused'
  )
);

-- When admins were last told of a problem of an integration or a connection: what goes wrong again and again is told once in an hour.
create table task_sync_alerts (
  organization_id uuid not null,
  -- The integration's id, or the connection's.
  subject text not null,
  problem text not null,
  told_at timestamptz(3) not null,
  primary key (organization_id, subject, problem)
);
select tenant_isolation('task_sync_alerts');
