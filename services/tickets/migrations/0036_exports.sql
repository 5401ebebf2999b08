create table exports (
  organization_id uuid not null,
  id uuid not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed', 'expired')),
  has_files boolean not null,
  is_of_customer boolean not null default false,
  -- Sealed with the purpose `customer-export`; null if the export is not of a customer, and once its archive is deleted.
  sealed_email text,
  -- The services whose part has not arrived completely.
  missing_parts text[] not null,
  -- The run that is writing the archive. A run whose id is not here any more must stop.
  run_id uuid,
  lines_done integer not null default 0,
  lines_total integer,
  -- [{id, size}]: the archive in the file storage, in pieces under {organization_id}/{id}. Also of a run that was interrupted.
  pieces jsonb not null default '[]',
  created_by uuid,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  expires_at timestamptz(3),
  -- Its archive is being removed; after that the row is deleted.
  is_deleted boolean not null default false,
  primary key (organization_id, id)
);
create index exports_latest on exports (organization_id, created_at desc, id desc);
-- For the sweeps.
create index exports_running on exports (created_at) where state = 'running';
create index exports_expiring on exports (expires_at) where expires_at is not null and state = 'done';
create index exports_deleted on exports (created_at) where is_deleted;
select tenant_isolation('exports');
select system_readable('exports');
comment on table exports is 'Exports of all data of an organization.';

create table export_parts (
  organization_id uuid not null,
  export_id uuid not null,
  service text not null,
  -- Of the event, from 0.
  index integer not null,
  -- Null in the last event of a part, which has no lines.
  file text,
  -- Separated by line breaks.
  lines text not null,
  is_last boolean not null,
  primary key (organization_id, export_id, service, index),
  foreign key (organization_id, export_id) references exports (organization_id, id) on delete cascade
);
select tenant_isolation('export_parts');
comment on table export_parts is 'Lines that other services have sent for exports, until the archive exists.';
