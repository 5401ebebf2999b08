-- Who did what in an organization, when, from where, before and after. Rows are never changed.
create table audit_log (
  -- UUIDv7: also the order in time.
  id uuid not null,
  organization_id uuid not null,
  type text not null,
  category text not null,
  severity text not null,
  occurred_at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  -- As it was then: people change addresses, and leave.
  actor_email text,
  target text,
  ip text,
  user_agent text,
  changes jsonb,
  primary key (organization_id, id),
  constraint audit_log_category_check check (category in ('security', 'team', 'settings')),
  constraint audit_log_severity_check check (severity in ('low', 'medium', 'high'))
);
select tenant_isolation('audit_log');
-- A sign-in is noted before there is a tenant.
select system_insertable('audit_log');
-- What is past its time goes.
select system_readable('audit_log');
select system_deletable('audit_log');
-- The log by category, by type and by person, the latest first; unfiltered the primary key serves.
create index audit_log_category_idx on audit_log (organization_id, category, id desc);
create index audit_log_type_idx on audit_log (organization_id, type, id desc);
create index audit_log_actor_idx on audit_log (organization_id, actor_id, id desc);
create index audit_log_occurred_at_idx on audit_log (occurred_at);
-- The few among many: without it the log is read to its end to fill a page.
create index audit_log_high_idx on audit_log (organization_id, id desc) where severity = 'high';
