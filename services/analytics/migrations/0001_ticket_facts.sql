-- What analytics keeps of each ticket. `sequence` is that of the newest event taken in: older ones are ignored.
create table ticket_facts (
  organization_id uuid not null,
  ticket_id uuid not null,
  status text not null check (status in ('open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed')),
  priority text not null check (priority in ('low', 'medium', 'high', 'urgent')),
  assigned_to uuid,
  created_at timestamptz(3) not null,
  resolved_at timestamptz(3),
  sequence bigint not null,
  primary key (organization_id, ticket_id)
);
select tenant_isolation('ticket_facts');

-- The dashboard's counts, moved in the transaction that moves a fact: reading them costs one row at any size.
create table ticket_counts (
  organization_id uuid primary key,
  total integer not null check (total >= 0),
  open integer not null check (open >= 0),
  resolved integer not null check (resolved >= 0),
  unassigned integer not null check (unassigned >= 0)
);
select tenant_isolation('ticket_counts');
