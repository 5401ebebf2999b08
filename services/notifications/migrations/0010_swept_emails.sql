-- The sweep reads a few emails of each organization that are due, or whose worker has died, without those that are not due yet.
create index emails_swept on emails (
  organization_id,
  (case when state = 'sending' then claimed_until else greatest(created_at, due_at) end)
) where state in ('pending', 'sending');
create index account_emails_swept on account_emails (
  (case when state = 'sending' then claimed_until else greatest(created_at, due_at) end)
) where state in ('pending', 'sending');
