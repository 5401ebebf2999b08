-- How the organization works: what the SLA clocks and the automatic assignment obey.
alter table organizations
  add column time_zone text not null default 'UTC',
  add column business_hours jsonb,
  add column holidays jsonb not null default '[]',
  add column auto_assign boolean not null default false,
  add column default_priority text not null default 'medium' check (default_priority in ('low', 'medium', 'high', 'urgent'));
