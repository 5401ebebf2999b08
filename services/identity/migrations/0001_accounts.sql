-- A person. What depends on an organization stands in members.
create table users (
  id uuid primary key,
  -- Lower-cased before it comes here: the unique index is then case-insensitive for everybody.
  email text not null,
  first_name text,
  last_name text,
  -- Argon2id, PHC string. While the address is unconfirmed: of the latest sign-up (see confirmation_tokens).
  password_hash text not null,
  email_confirmed_at timestamptz,
  -- How many mails a stranger's form has sent to this address since `mails_since`: nobody's mailbox is our cannon's target.
  mails_since timestamptz not null default now(),
  mails_sent integer not null default 0,
  created_at timestamptz not null default now(),
  constraint users_email_key unique (email),
  constraint users_email_check check (email = lower(email) and char_length(email) between 3 and 254),
  constraint users_first_name_check check (char_length(first_name) between 1 and 100),
  constraint users_last_name_check check (char_length(last_name) between 1 and 100),
  constraint users_password_hash_check check (password_hash like '$argon2id$%')
);
comment on table users is 'tenancy: none — a person exists before any organization, and signs in before we know which one is theirs';

-- A mailed link. Only the hash of its token is kept. It carries the password of the sign-up that asked for it, so that whoever
-- typed in somebody else's address first does not hold the password of the account that its owner confirms later.
create table confirmation_tokens (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  password_hash text not null,
  first_name text,
  last_name text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint confirmation_tokens_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
comment on table confirmation_tokens is 'tenancy: none — belongs to a person who has no organization yet';
-- Confirming deletes all links of a person at once.
create index confirmation_tokens_user_id_idx on confirmation_tokens (user_id);
