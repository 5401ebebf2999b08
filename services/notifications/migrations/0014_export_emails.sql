alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation', 'api_token_created',
    'staff_assigned', 'staff_mention', 'staff_customer_replied', 'staff_sla', 'staff_snooze_ended', 'staff_delivery_failed', 'staff_digest',
    'staff_task_sync_failed', 'staff_custom_domain_lapsed', 'staff_sender_domain_lapsed', 'staff_mail_server_failing',
    'staff_webhook_failing', 'staff_rule_failing', 'staff_export_ready', 'staff_report',
    'ticket_reply', 'ticket_waiting', 'ticket_resolved', 'survey_invitation', 'reply_refused'
  )
) not valid;
alter table emails validate constraint emails_kind_check;
