-- One sign-in on one device. All refresh tokens that ever belonged to it are one family: when an old one is used again, the session ends.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- As the gateway saw the client; text, because it is shown and never computed with.
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  -- Written at most once a minute.
  last_seen_at timestamptz not null default now(),
  -- Slides with use, never beyond absolute_expires_at.
  idle_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  -- Which of its refresh tokens is the current one, and since when.
  refresh_sequence integer not null default 1,
  rotated_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text,
  constraint sessions_end_reason_check check (end_reason in ('signed_out', 'token_reused')),
  constraint sessions_end_check check ((ended_at is null) = (end_reason is null)),
  constraint sessions_expiry_check check (idle_expires_at <= absolute_expires_at)
);
comment on table sessions is 'tenancy: none — a person signs in before there is an organization';
-- A person's own devices, and the clean-up at sign-in.
create index sessions_user_id_idx on sessions (user_id, created_at desc);

create table refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  -- 1 at sign-in, one more with each rotation: tells the current one, the one before it, and the older ones apart.
  sequence integer not null,
  created_at timestamptz not null default now(),
  constraint refresh_tokens_session_id_sequence_key unique (session_id, sequence),
  constraint refresh_tokens_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
comment on table refresh_tokens is 'tenancy: none — belongs to a session';
