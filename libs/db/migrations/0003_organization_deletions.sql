create table organization_deletions (
  organization_id uuid primary key,
  requested_at timestamptz(3) not null default now(),
  -- Events and requests that were on their way can add rows again, so the rows are deleted several times.
  passes smallint not null default 0,
  next_pass_at timestamptz(3) not null default now(),
  completed_at timestamptz(3)
);
create index organization_deletions_due on organization_deletions (next_pass_at) where completed_at is null;
comment on table organization_deletions is 'Organizations whose rows are deleted from this database.';
