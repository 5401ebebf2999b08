-- An admin has requested that the organization is deleted: when, by whom, and at what time. All null without a request.
alter table organizations
  add column deletion_at timestamptz(3),
  add column deletion_requested_at timestamptz(3),
  add column deletion_requested_by uuid,
  -- When the admins were reminded. An organization is never deleted before.
  add column deletion_reminded_at timestamptz(3);
