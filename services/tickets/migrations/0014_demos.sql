-- Live demos: they receive no emails, and their visitors can store little (`demo-quota.ts`).
alter table organizations add is_demo boolean not null default false;

create table demo_histories (
  organization_id uuid primary key,
  member_ids uuid[] not null,
  -- The time of the visitor's first request: the history ends there.
  started_at timestamptz(3) not null
);
select tenant_isolation('demo_histories');
select system_readable('demo_histories');
comment on table demo_histories is 'Live demos whose history has not been written completely.';
