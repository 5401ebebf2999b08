create table sla_policies (
  organization_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 100),
  priority_level text not null check (priority_level in ('low', 'medium', 'high', 'urgent')),
  response_time_hours integer not null check (response_time_hours between 1 and 8760),
  resolution_time_hours integer not null check (resolution_time_hours between 1 and 8760),
  escalation_enabled boolean not null,
  escalation_time_hours integer not null check (escalation_time_hours between 1 and 8760),
  is_active boolean not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
select tenant_isolation('sla_policies');
create unique index one_active_policy_of_a_priority on sla_policies (organization_id, priority_level) where is_active;

-- What makes a ticket's clocks go: its policy as it was when the clocks were set, and when the sweep must look next.
create table sla_clocks (
  organization_id uuid not null,
  ticket_id uuid not null,
  policy_id uuid not null,
  policy_name text not null,
  response_time_hours integer not null,
  resolution_time_hours integer not null,
  -- Working time that the clocks have paused for the customer, in milliseconds; a pause that lasts is not in it yet.
  paused_ms bigint not null default 0 check (paused_ms >= 0),
  response_warned_at timestamptz(3),
  response_breached_at timestamptz(3),
  resolution_warned_at timestamptz(3),
  resolution_breached_at timestamptz(3),
  -- When it was resolved or closed: the clocks stand, and what was left stands with them. Null while there is work to do.
  stopped_at timestamptz(3),
  -- Null: never.
  escalates_at timestamptz(3),
  -- The next moment at which there is something to say; null: nothing until the ticket changes.
  check_at timestamptz(3),
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('sla_clocks');
-- The sweep looks across organizations.
select system_readable('sla_clocks');
create index sla_clocks_due on sla_clocks (check_at) where check_at is not null;
