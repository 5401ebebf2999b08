-- What a person may do changes: every access token with a lower version ends (see `access.changed` in libs/contracts).
alter table users add column access_version integer not null default 1;

-- Wrong current passwords since `password_failed_since`, and until when none is taken: the same limit as for sign-in.
alter table users add column password_failed_count integer not null default 0;
alter table users add column password_failed_since timestamptz;
alter table users add column password_blocked_until timestamptz;

alter table sessions drop constraint sessions_end_reason_check;
alter table sessions add constraint sessions_end_reason_check check (
  end_reason in ('signed_out', 'token_reused', 'revoked', 'password_changed', 'password_reset', 'deactivated', 'mfa_reset', 'oidc_disconnected')
);

-- A mailed link that sets the password anew. Only the hash of its token is kept.
create table password_resets (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint password_resets_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
comment on table password_resets is 'tenancy: none — belongs to a person, who signs in before we know which organization is theirs';
-- A used link ends all others of the person.
create index password_resets_user_id_idx on password_resets (user_id);

-- A mailed link that makes another address the sign-in address.
create table email_changes (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint email_changes_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$'),
  constraint email_changes_email_check check (email = lower(email) and char_length(email) between 3 and 254)
);
comment on table email_changes is 'tenancy: none — belongs to a person, with or without an organization';
create index email_changes_user_id_idx on email_changes (user_id);

-- The authenticator of a person: one. It counts once `confirmed_at` is set.
create table mfa (
  user_id uuid primary key references users (id) on delete cascade,
  -- Sealed with the purpose `mfa-secret`: a code must be computed from it, so a hash would not do.
  sealed_secret text not null,
  confirmed_at timestamptz,
  -- RFC 6238, 5.2: a code is taken once. The time step of the last one that was.
  last_used_step bigint,
  -- Wrong codes since `failed_since`, and until when no code is taken: the same limit as for passwords.
  failed_count integer not null default 0,
  failed_since timestamptz,
  blocked_until timestamptz,
  created_at timestamptz not null default now()
);
comment on table mfa is 'tenancy: none — belongs to a person';

create table mfa_recovery_codes (
  user_id uuid not null references mfa (user_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash),
  constraint mfa_recovery_codes_code_hash_check check (code_hash ~ '^[0-9a-f]{64}$')
);
comment on table mfa_recovery_codes is 'tenancy: none — belongs to a person';

-- A sign-in between its two steps.
create table mfa_challenges (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint mfa_challenges_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
comment on table mfa_challenges is 'tenancy: none — belongs to a person who is signing in';
create index mfa_challenges_user_id_idx on mfa_challenges (user_id);

-- What is past its time goes (`PastAccounts`).
create index users_unconfirmed_idx on users (created_at) where email_confirmed_at is null;
create index confirmation_tokens_expires_at_idx on confirmation_tokens (expires_at);
create index password_resets_expires_at_idx on password_resets (expires_at);
create index email_changes_expires_at_idx on email_changes (expires_at);
create index mfa_challenges_expires_at_idx on mfa_challenges (expires_at);
create index sessions_absolute_expires_at_idx on sessions (absolute_expires_at);
