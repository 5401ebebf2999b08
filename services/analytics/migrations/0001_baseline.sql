-- The analytics service: the figures of the dashboard.

create table ticket_facts (
  organization_id uuid not null,
  ticket_id uuid not null,
  status text not null check (status in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  assigned_to uuid,
  created_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  -- The sequence of the event that wrote the row; older events are ignored.
  sequence bigint not null,
  primary key (organization_id, ticket_id)
);
select tenant_isolation('ticket_facts');
comment on table ticket_facts is 'What analytics needs of each ticket.';

create table ticket_counts (
  organization_id uuid primary key,
  total integer not null check (total >= 0),
  open integer not null check (open >= 0),
  resolved integer not null check (resolved >= 0),
  unassigned integer not null check (unassigned >= 0)
);
select tenant_isolation('ticket_counts');
comment on table ticket_counts is 'The counts of the dashboard. Updated in the transaction that updates ticket_facts, so reading them takes one row.';
