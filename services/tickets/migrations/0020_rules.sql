create table rules (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  -- From 1, without gaps. Not unique, because a new order changes many rows in one statement.
  position integer not null,
  triggers text[] not null,
  time jsonb,
  condition jsonb not null,
  actions jsonb not null,
  stops boolean not null,
  runs text not null check (runs in ('every_time', 'once_per_ticket')),
  is_active boolean not null,
  disabled_reason jsonb,
  version integer not null,
  updated_by uuid,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id)
);
select tenant_isolation('rules');
comment on table rules is 'Rules of organizations: when, if, then.';

create table rule_runs (
  organization_id uuid not null,
  id uuid not null,
  -- No foreign key: runs of a deleted rule expire like all others.
  rule_id uuid not null,
  rule_version integer not null,
  ticket_id uuid not null,
  trigger text not null,
  changes jsonb not null,
  effects text[] not null,
  problem text,
  action_count integer not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index rule_runs_of_rule on rule_runs (organization_id, rule_id, created_at desc, id desc);
create index rule_runs_of_ticket on rule_runs (organization_id, ticket_id, created_at desc);
create index rule_runs_with_problem on rule_runs (organization_id, rule_id, created_at desc) where problem is not null;
create index rule_runs_expired on rule_runs (created_at);
select tenant_isolation('rule_runs');
-- The sweep deletes the expired runs of all organizations.
select system_readable('rule_runs');
select system_deletable('rule_runs');
comment on table rule_runs is 'What rules did in the last 30 days.';

create table rule_acts (
  organization_id uuid not null,
  ticket_id uuid not null,
  rule_id uuid not null,
  -- For a time rule the moment from which it counted, otherwise the time of its run.
  acted_for timestamptz(3) not null,
  primary key (organization_id, ticket_id, rule_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('rule_acts');
comment on table rule_acts is 'Tickets on which a time rule, or a rule that runs once per ticket, has run.';

create table rule_timers (
  organization_id uuid not null,
  ticket_id uuid not null,
  check_at timestamptz(3) not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index rule_timers_due on rule_timers (organization_id, check_at);
select tenant_isolation('rule_timers');
select system_readable('rule_timers');
comment on table rule_timers is 'When the time rules of a ticket are checked next.';

create table rule_pauses (
  organization_id uuid not null,
  ticket_id uuid not null,
  paused_until timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index rule_pauses_newest on rule_pauses (organization_id, created_at desc);
select tenant_isolation('rule_pauses');
comment on table rule_pauses is 'Tickets that rules changed too often, and until when the rules are paused for them.';

create table rule_scans (
  organization_id uuid primary key,
  -- The last ticket that was scanned; null at the start.
  last_id uuid,
  created_at timestamptz(3) not null
);
select tenant_isolation('rule_scans');
select system_readable('rule_scans');
comment on table rule_scans is 'Organizations whose existing tickets are being scheduled for new and changed time rules.';
