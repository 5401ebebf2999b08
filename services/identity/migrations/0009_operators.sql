-- Whether a code of the user's authenticator was needed to open the session. Operators of the installation need such a session.
alter table sessions add column has_second_factor boolean not null default false;

create table operator_log (
  -- UUIDv7, so entries are in order of time.
  id uuid primary key,
  user_id uuid not null,
  -- The address at that time.
  email text not null,
  action text not null,
  target text,
  ip text,
  user_agent text,
  created_at timestamptz(3) not null default clock_timestamp()
);
comment on table operator_log is
  'tenancy: none — who viewed or changed the installation on the page of its operators. Entries are never changed.';

create table backups (
  id uuid primary key,
  taken_at timestamptz(3) not null default now(),
  -- The version of Tandem that wrote it, and where.
  version text not null,
  folder text not null
);
comment on table backups is 'tenancy: none — the backups of the installation that are complete, written by `tandem backup`.';
