create table retention_policies (
  organization_id uuid primary key,
  is_active boolean not null,
  -- Since the last change of a ticket.
  months integer not null check (months >= 1),
  -- What happens to tickets of that age.
  action text not null default 'delete' check (action in ('delete', 'anonymize')),
  kept_categories text[] not null,
  -- When it is applied next; null while it is not active.
  next_run_at timestamptz(3),
  updated_at timestamptz(3) not null
);
create index retention_policies_due on retention_policies (next_run_at) where next_run_at is not null;
select tenant_isolation('retention_policies');
select system_readable('retention_policies');
comment on table retention_policies is 'After which time resolved and closed tickets are deleted or anonymized.';
