-- Mails about a person's own account, and invitations to a team.
alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (
  kind in (
    'ticket_created', 'ticket_links', 'confirm_email', 'account_exists',
    'password_reset', 'confirm_email_change', 'account_changed', 'invitation'
  )
);
alter table account_emails drop constraint emails_kind_check;
alter table account_emails add constraint account_emails_kind_check check (
  kind in ('confirm_email', 'account_exists', 'password_reset', 'confirm_email_change', 'account_changed')
);
