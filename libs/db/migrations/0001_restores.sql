create table restores (
  id uuid primary key default gen_random_uuid(),
  restored_at timestamptz(3) not null default now(),
  -- When this database was dumped: what happened later is lost here, but may have had effects elsewhere.
  dumped_at timestamptz(3) not null
);
comment on table restores is 'When this database was restored from a backup. Work that is older may already have been done, for example at a task tool.';
