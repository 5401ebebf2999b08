create table erasures (
  organization_id uuid not null,
  id uuid not null,
  -- Both null once it is done or cancelled. Sealed with the purpose `erasure`.
  sealed_email text,
  -- SHA-256 of the address: one open erasure per address.
  email_hash text,
  state text not null check (state in ('scheduled', 'running', 'done', 'cancelled')),
  starts_at timestamptz(3) not null,
  requested_by uuid,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- Tickets that were deleted, for the events to the other services.
  ticket_count integer not null default 0,
  -- Whether the other services have been requested.
  is_requested boolean not null default false,
  -- By service: what it has deleted.
  answers jsonb not null default '{}',
  remains text[] not null default '{}',
  primary key (organization_id, id)
);
create unique index one_open_erasure_of_an_address on erasures (organization_id, email_hash) where email_hash is not null;
create index erasures_due on erasures (starts_at) where state in ('scheduled', 'running') and not is_requested;
select tenant_isolation('erasures');
select system_readable('erasures');
comment on table erasures is 'Erasures of customers, and their receipts, which contain no data of the customer.';
