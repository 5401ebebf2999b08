-- The OpenID provider of an organization: one.
create table oidc_connections (
  organization_id uuid primary key references organizations (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  -- Sealed with the purpose `oidc-client-secret`; null for a public client.
  sealed_client_secret text,
  is_active boolean not null default true,
  auto_join boolean not null default false,
  updated_at timestamptz not null default now()
);
select tenant_isolation('oidc_connections');
-- Who signs in is not signed in.
select system_readable('oidc_connections');

-- Which person stands behind a subject of a provider. The subject, not the address, is what a provider keeps.
create table oidc_identities (
  organization_id uuid not null references organizations (id) on delete cascade,
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (organization_id, issuer, subject)
);
select tenant_isolation('oidc_identities');
select system_readable('oidc_identities');
create index oidc_identities_user_id_idx on oidc_identities (user_id);

-- A sign-in on its way to the provider and back.
create table oidc_attempts (
  state_hash text primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  -- Of the secret in the cookie of the browser that began: another browser cannot finish.
  binding_hash text not null,
  nonce text not null,
  -- PKCE. Sealed with the purpose `oidc-verifier`.
  sealed_verifier text not null,
  redirect text not null,
  expires_at timestamptz not null,
  constraint oidc_attempts_state_hash_check check (state_hash ~ '^[0-9a-f]{64}$'),
  constraint oidc_attempts_binding_hash_check check (binding_hash ~ '^[0-9a-f]{64}$')
);
comment on table oidc_attempts is 'tenancy: none — is looked up by its state before anybody is signed in';
create index oidc_attempts_expires_at_idx on oidc_attempts (expires_at);
