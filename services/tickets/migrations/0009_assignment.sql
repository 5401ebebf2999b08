-- How much open work each member has, kept by a trigger: assigning by load must not count tickets.
create table member_loads (
  organization_id uuid not null,
  user_id uuid not null,
  open_tickets integer not null default 0 check (open_tickets >= 0),
  -- The turn among equals.
  last_assigned_at timestamptz,
  primary key (organization_id, user_id)
);
select tenant_isolation('member_loads');

-- Members whose open tickets are being taken back; the row goes when the last one has been.
create table releases (
  organization_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
select tenant_isolation('releases');
-- The sweep looks across organizations.
select system_readable('releases');
