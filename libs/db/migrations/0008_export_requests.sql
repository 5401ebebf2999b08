create table export_requests (
  organization_id uuid not null,
  export_id uuid not null,
  -- How far the part has been sent: the index of the file, the end of its last page, and the index of the next event.
  source integer not null default 0,
  after jsonb,
  next_index integer not null default 0,
  -- Null for an export of everything. The row is deleted when the part has been sent.
  customer_email text,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, export_id)
);
select tenant_isolation('export_requests');
select system_readable('export_requests');
comment on table export_requests is 'Exports of organizations to which this service is sending its part.';
