-- The clocks as lists show them; `sla_clocks` (0007) holds what makes them go. `next_due_at` is null while nothing runs.
alter table tickets
  add column first_response_at timestamptz(3),
  add column response_due_at timestamptz(3),
  add column resolution_due_at timestamptz(3),
  add column next_due_at timestamptz(3),
  add column sla_paused_since timestamptz(3),
  add column sla_breached_at timestamptz(3),
  add column escalated_at timestamptz(3),
  add column merged_into_id uuid,
  add column watchers uuid[] not null default '{}' check (cardinality(watchers) <= 50),
  -- Lists sort by it: text would sort 'high' before 'low' before 'medium'.
  add column priority_rank smallint not null generated always as (
    case priority when 'urgent' then 4 when 'high' then 3 when 'medium' then 2 else 1 end
  ) stored,
  add constraint merged_into_another foreign key (organization_id, merged_into_id) references tickets (organization_id, id),
  add check (merged_into_id <> id);

-- What tickets keeps of an organization's settings and of its members' roles.
alter table organizations
  add column time_zone text not null default 'UTC',
  add column business_hours jsonb,
  add column holidays jsonb not null default '[]',
  add column auto_assign boolean not null default false,
  add column default_priority text not null default 'medium' check (default_priority in ('low', 'medium', 'high', 'urgent'));
alter table members add column role text not null default 'agent' check (role in ('admin', 'manager', 'agent'));
