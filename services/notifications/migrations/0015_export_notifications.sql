alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in (
    'assigned', 'mention', 'customer_replied', 'sla_warning', 'sla_breached', 'escalated', 'snooze_ended', 'delivery_failed',
    'task_sync_failed', 'custom_domain_lapsed', 'sender_domain_lapsed', 'mail_server_failing', 'webhook_failing', 'rule_failing',
    'export_ready'
  )
) not valid;
alter table notifications validate constraint notifications_kind_check;
