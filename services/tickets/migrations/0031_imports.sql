create table imports (
  organization_id uuid not null,
  id uuid not null,
  source text not null,
  state text not null check (
    state in ('preparing', 'checking', 'ready', 'importing', 'done', 'undoing', 'undone', 'cancelled', 'failed')
  ),
  name text not null,
  -- Of a source that is read through its API. The token is sealed with the purpose `import`, and deleted when the import ends.
  address text,
  sealed_token text,
  options jsonb not null,
  -- What the admin has chosen: {teammates, statuses, priorities}, each by key or value.
  choices jsonb not null default '{}',
  -- What the check has found.
  teammates jsonb not null default '[]',
  statuses jsonb not null default '[]',
  priorities jsonb not null default '[]',
  counts jsonb not null default '{}',
  problems jsonb not null default '{}',
  progress jsonb,
  -- The job of the current state, and its run that reads the source: one that was replaced stops.
  job_id uuid,
  check_id uuid,
  -- The position of the job that creates or deletes the records: {step, after, next_number}. Advanced in the transaction of each batch.
  position jsonb,
  failure text,
  -- Whether the file storage has its files, and import_records its records.
  has_files boolean not null default false,
  has_records boolean not null default false,
  created_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  finished_at timestamptz(3),
  undo_until timestamptz(3),
  kept_count integer,
  primary key (organization_id, id)
);
create index imports_newest on imports (organization_id, created_at desc, id desc);
create unique index one_active_import on imports (organization_id) where state in ('checking', 'importing', 'undoing');
create index imports_active on imports (created_at) where state in ('checking', 'importing', 'undoing');
create index imports_stored on imports (updated_at) where has_files or has_records;
select tenant_isolation('imports');
-- Sweeps find the active imports of all organizations, and those with data that is no longer needed.
select system_readable('imports');
comment on table imports is 'Imports from other help desks, CSV files and exports.';

create table import_files (
  organization_id uuid not null,
  id uuid not null,
  import_id uuid not null,
  file_name text not null,
  size bigint not null check (size > 0),
  kind text check (kind in ('tickets', 'comments', 'customers', 'articles')),
  -- The signed upload URL works once: set when the upload starts, whether or not it succeeds.
  upload_started_at timestamptz(3),
  is_uploaded boolean not null default false,
  -- Of a CSV file.
  columns jsonb,
  sample jsonb,
  mapping jsonb,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  -- Not `on delete cascade`: the bytes must be removed from the storage first.
  foreign key (organization_id, import_id) references imports (organization_id, id)
);
create index import_files_of_import on import_files (organization_id, import_id, id);
select tenant_isolation('import_files');
comment on table import_files is 'Uploaded files of imports. The bytes are in the file storage under {organization_id}/{id}.';

create table import_records (
  organization_id uuid not null,
  import_id uuid not null,
  kind text not null,
  key text collate "C" not null,
  -- The key of the record that it belongs to, with the kind for a file: of a merged ticket the ticket that continues it, of a customer the
  -- address.
  parent text collate "C",
  -- The order in which the source was read.
  position bigint not null,
  -- When it was created in the source. A comment is never before its ticket.
  created_at timestamptz(3) not null,
  -- The number that a ticket keeps; null if it gets a new one.
  number integer,
  data jsonb not null,
  -- {file, line}
  place jsonb not null,
  -- Null: not created yet.
  state text check (state in ('created', 'existing', 'failed', 'undone', 'kept')),
  -- What was created.
  record_id uuid,
  -- Of a setting, when it was created: it has been changed if it has another one.
  fingerprint text,
  primary key (organization_id, import_id, kind, key),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);
create index import_records_in_order on import_records (organization_id, import_id, kind, created_at, position);
create index import_records_of_parent on import_records (organization_id, import_id, kind, parent, created_at, position) where parent is not null;
create index import_records_numbers on import_records (organization_id, import_id, number) where number is not null;
select tenant_isolation('import_records');
comment on table import_records is 'The records of imports as they were read, and what became of them. Deleted when the import can no longer be undone.';

create table import_problems (
  organization_id uuid not null,
  import_id uuid not null,
  id uuid not null,
  position bigint not null,
  code text not null,
  kind text,
  key text,
  file text,
  line integer,
  field text,
  value text,
  primary key (organization_id, import_id, id),
  foreign key (organization_id, import_id) references imports (organization_id, id) on delete cascade
);
create index import_problems_in_order on import_problems (organization_id, import_id, position, id);
create index import_problems_by_code on import_problems (organization_id, import_id, code, position, id);
select tenant_isolation('import_problems');
comment on table import_problems is 'Records of imports that cannot be created as they are, at most 10,000 per import.';
