alter table organization_deletions
  -- The users whose accounts were deleted with the organization, until the last pass.
  add column member_ids uuid[] not null default '{}',
  -- How far the running pass has read the outbox.
  add column events_after uuid,
  -- Passes that have failed since the last one that succeeded: the next one waits longer.
  add column failures smallint not null default 0;
