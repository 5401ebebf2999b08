create table api_tokens (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  name text not null,
  -- SHA-256 of the value, which is not stored.
  token_hash text not null,
  last_four text not null,
  permissions text[] not null,
  -- CIDR; empty: all networks.
  networks text[] not null default '{}',
  is_active boolean not null default true,
  expires_at timestamptz(3),
  -- The value before the last rotation, while it is still valid.
  previous_hash text,
  previous_valid_until timestamptz(3),
  -- No foreign key: the token survives the account of its creator.
  created_by uuid not null,
  created_at timestamptz(3) not null default now(),
  -- At most one update per minute.
  last_used_at timestamptz(3),
  last_used_ip text,
  primary key (organization_id, id),
  constraint api_tokens_name_check check (char_length(name) between 1 and 100),
  constraint api_tokens_hash_check check (token_hash ~ '^[0-9a-f]{64}$' and previous_hash ~ '^[0-9a-f]{64}$'),
  constraint api_tokens_permissions_check check (cardinality(permissions) >= 1),
  constraint api_tokens_previous_check check ((previous_hash is null) = (previous_valid_until is null))
);
create unique index api_tokens_token_hash on api_tokens (token_hash);
create unique index api_tokens_previous_hash on api_tokens (previous_hash) where previous_hash is not null;
select tenant_isolation('api_tokens');
-- A request is authenticated before its organization is known.
select system_readable('api_tokens');
comment on table api_tokens is 'API tokens. Expired and inactive ones stay until they are deleted.';
