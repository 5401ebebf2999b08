create table installation (
  is_only_row boolean primary key default true check (is_only_row),
  installed_at timestamptz(3) not null default now(),
  -- When `analytics.installed` was emitted.
  announced_at timestamptz(3)
);
insert into installation default values;
comment on table installation is
  'One row: whether this database has requested the organizations and tickets that existed before it.';
