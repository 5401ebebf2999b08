-- The identity service: users and their sessions, organizations and their members, single sign-on, branding, and the audit log.
--
-- Tokens of links and sessions are stored as SHA-256 hashes only.

-- ===== Users =====

create table users (
  id uuid primary key,
  -- Lower case, so the unique constraint ignores case.
  email text not null,
  first_name text,
  last_name text,
  -- Argon2id, PHC string. Until the address is confirmed: the password of the latest sign-up (see confirmation_tokens).
  password_hash text not null,
  email_confirmed_at timestamptz,
  -- Emails sent to this address since `mails_since` on request of clients that are not signed in. Limited, so that a mailbox cannot be
  -- flooded.
  mails_since timestamptz not null default now(),
  mails_sent integer not null default 0,
  -- Increased when the user's permissions change. Access tokens with a lower version are invalid (event `access.changed`).
  access_version integer not null default 1,
  -- Wrong current passwords since `password_failed_since`, and until when none is accepted: the same limit as for sign-in.
  password_failed_count integer not null default 0,
  password_failed_since timestamptz,
  password_blocked_until timestamptz,
  created_at timestamptz not null default now(),
  constraint users_email_key unique (email),
  constraint users_email_check check (email = lower(email) and char_length(email) between 3 and 254),
  constraint users_first_name_check check (char_length(first_name) between 1 and 100),
  constraint users_last_name_check check (char_length(last_name) between 1 and 100),
  constraint users_password_hash_check check (password_hash like '$argon2id$%')
);
-- For the cleanup of accounts that were never confirmed.
create index users_unconfirmed_idx on users (created_at) where email_confirmed_at is null;
comment on table users is 'tenancy: none — a user exists before the organization, and signs in before it is known';

create table confirmation_tokens (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Of the sign-up that requested the link: an attacker who signed up first with the address must not know the password of the account
  -- that its owner confirms later.
  password_hash text not null,
  first_name text,
  last_name text,
  -- The hash of the cookie of the browser that signed up. Opening the link in that browser also signs in; elsewhere it only confirms the
  -- address, because links can be forwarded.
  browser_hash text,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint confirmation_tokens_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$'),
  constraint confirmation_tokens_browser_hash_check check (browser_hash ~ '^[0-9a-f]{64}$')
);
create index confirmation_tokens_user_id_idx on confirmation_tokens (user_id);
create index confirmation_tokens_expires_at_idx on confirmation_tokens (expires_at);
comment on table confirmation_tokens is 'tenancy: none — links that confirm the address of a user who has no organization yet';

create table password_resets (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint password_resets_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
create index password_resets_user_id_idx on password_resets (user_id);
create index password_resets_expires_at_idx on password_resets (expires_at);
comment on table password_resets is 'tenancy: none — links that set the password of a user, whose organization is known only after sign-in';

create table email_changes (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  email text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint email_changes_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$'),
  constraint email_changes_email_check check (email = lower(email) and char_length(email) between 3 and 254)
);
create index email_changes_user_id_idx on email_changes (user_id);
create index email_changes_expires_at_idx on email_changes (expires_at);
comment on table email_changes is 'tenancy: none — links that change the address of a user, with or without an organization';

-- ===== Sessions =====

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- Of the client, as the gateway received it. Only displayed.
  ip text,
  user_agent text,
  created_at timestamptz not null default now(),
  -- Updated at most once a minute.
  last_seen_at timestamptz not null default now(),
  -- Extended by use, but never beyond absolute_expires_at.
  idle_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  -- The sequence of the current refresh token, and when it was issued.
  refresh_sequence integer not null default 1,
  rotated_at timestamptz not null default now(),
  ended_at timestamptz,
  end_reason text,
  constraint sessions_end_reason_check check (
    end_reason in ('signed_out', 'token_reused', 'revoked', 'password_changed', 'password_reset', 'deactivated', 'mfa_reset', 'oidc_disconnected')
  ),
  constraint sessions_end_check check ((ended_at is null) = (end_reason is null)),
  constraint sessions_expiry_check check (idle_expires_at <= absolute_expires_at)
);
create index sessions_user_id_idx on sessions (user_id, created_at desc);
create index sessions_absolute_expires_at_idx on sessions (absolute_expires_at);
comment on table sessions is 'tenancy: none — a user signs in before the organization is known';

create table refresh_tokens (
  token_hash text primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  -- 1 at sign-in, increased by each rotation. The use of a token older than the previous one ends the session.
  sequence integer not null,
  created_at timestamptz not null default now(),
  constraint refresh_tokens_session_id_sequence_key unique (session_id, sequence),
  constraint refresh_tokens_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
comment on table refresh_tokens is 'tenancy: none — all refresh tokens that a session has had';

-- ===== Two-factor authentication =====

create table mfa (
  user_id uuid primary key references users (id) on delete cascade,
  -- Sealed with the purpose `mfa-secret`. Not a hash, because codes are computed from it.
  sealed_secret text not null,
  -- Null until a code has confirmed the setup: no code is required at sign-in.
  confirmed_at timestamptz,
  -- The time step of the last accepted code: a code is accepted once (RFC 6238, 5.2).
  last_used_step bigint,
  -- Wrong codes since `failed_since`, and until when none is accepted: the same limit as for passwords.
  failed_count integer not null default 0,
  failed_since timestamptz,
  blocked_until timestamptz,
  created_at timestamptz not null default now()
);
comment on table mfa is 'tenancy: none — the authenticator of a user';

create table mfa_recovery_codes (
  user_id uuid not null references mfa (user_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (user_id, code_hash),
  constraint mfa_recovery_codes_code_hash_check check (code_hash ~ '^[0-9a-f]{64}$')
);
comment on table mfa_recovery_codes is 'tenancy: none — the recovery codes of a user, each valid once';

create table mfa_challenges (
  token_hash text primary key,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint mfa_challenges_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$')
);
create index mfa_challenges_user_id_idx on mfa_challenges (user_id);
create index mfa_challenges_expires_at_idx on mfa_challenges (expires_at);
comment on table mfa_challenges is 'tenancy: none — sign-ins that wait for the second factor';

-- ===== Organizations and teams =====

create table organizations (
  id uuid primary key,
  -- Equal to id, so the same policy applies as in every table.
  organization_id uuid not null,
  name text not null,
  -- Not an address: organizations with the same name may share it.
  slug text not null,
  -- The address of the portal; null for none.
  subdomain text,
  ticket_prefix text not null,
  -- The sequence of the latest `ticket_prefix.changed` that was applied; older events are ignored.
  ticket_prefix_sequence integer not null default 0,
  require_mfa_for_admins boolean not null default false,
  time_zone text not null default 'UTC',
  business_hours jsonb,
  holidays jsonb not null default '[]',
  auto_assign boolean not null default false,
  default_priority text not null default 'medium' check (default_priority in ('low', 'medium', 'high', 'urgent')),
  customer_follow_up text not null default 'locked' check (customer_follow_up in ('locked', 'reopen', 'new_ticket')),
  instant_lookup boolean not null default false,
  trial_ends_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint organizations_organization_id_check check (organization_id = id),
  constraint organizations_subdomain_key unique (subdomain),
  constraint organizations_name_check check (char_length(name) between 1 and 100 and name = btrim(name)),
  constraint organizations_subdomain_check check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$'),
  constraint organizations_ticket_prefix_check check (ticket_prefix ~ '^[A-Z]{2,5}$')
);
-- localhost serves the oldest organization.
create index organizations_created_at_idx on organizations (created_at, id);
select tenant_isolation('organizations');
-- The organization is found by the host name, and at sign-in by its member.
select system_readable('organizations');
comment on table organizations is 'Organizations and their settings.';

create table members (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  constraint members_user_id_key unique (user_id),
  constraint members_role_check check (role in ('admin', 'manager', 'agent'))
);
create index members_organization_id_created_at_idx on members (organization_id, created_at, user_id);
select tenant_isolation('members');
-- Sign-in finds the organization of a user.
select system_readable('members');
comment on table members is 'Users and their organization: at most one per user.';

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  email text not null,
  role text not null,
  status text not null default 'pending',
  -- Of the latest link; sending the invitation again replaces it.
  token_hash text not null,
  invited_by uuid references users (id) on delete set null,
  -- Emails sent for this invitation since `mails_since`. Limited, so that a mailbox cannot be flooded.
  mails_since timestamptz not null default now(),
  mails_sent integer not null default 1,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint invitations_token_hash_key unique (token_hash),
  constraint invitations_token_hash_check check (token_hash ~ '^[0-9a-f]{64}$'),
  constraint invitations_status_check check (status in ('pending', 'accepted', 'cancelled')),
  constraint invitations_role_check check (role in ('admin', 'manager', 'agent')),
  constraint invitations_email_check check (email = lower(email) and char_length(email) between 3 and 254)
);
-- One pending invitation per address, also with concurrent requests.
create unique index invitations_pending_key on invitations (organization_id, email) where status = 'pending';
create index invitations_organization_id_created_at_idx on invitations (organization_id, created_at desc, id desc);
select tenant_isolation('invitations');
-- An invitation is found by its link.
select system_readable('invitations');
comment on table invitations is 'Invitations to join an organization.';

-- ===== Single sign-on =====

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
select system_readable('oidc_connections');
comment on table oidc_connections is 'The OpenID provider of an organization.';

create table oidc_identities (
  organization_id uuid not null references organizations (id) on delete cascade,
  issuer text not null,
  -- The subject is stable at the provider; the email address is not.
  subject text not null,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (organization_id, issuer, subject)
);
create index oidc_identities_user_id_idx on oidc_identities (user_id);
select tenant_isolation('oidc_identities');
select system_readable('oidc_identities');
comment on table oidc_identities is 'The user for each subject of a provider.';

create table oidc_attempts (
  state_hash text primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  -- The hash of the cookie of the browser that started the sign-in. Another browser cannot complete it.
  binding_hash text not null,
  nonce text not null,
  -- PKCE. Sealed with the purpose `oidc-verifier`.
  sealed_verifier text not null,
  redirect text not null,
  expires_at timestamptz not null,
  constraint oidc_attempts_state_hash_check check (state_hash ~ '^[0-9a-f]{64}$'),
  constraint oidc_attempts_binding_hash_check check (binding_hash ~ '^[0-9a-f]{64}$')
);
create index oidc_attempts_expires_at_idx on oidc_attempts (expires_at);
comment on table oidc_attempts is 'tenancy: none — sign-ins at a provider that have started, found by their state';

-- ===== Portal and widget =====

create table branding (
  organization_id uuid primary key references organizations (id) on delete cascade,
  primary_color text not null default '#3B82F6',
  secondary_color text not null default '#8B5CF6',
  logo_id uuid,
  favicon_id uuid,
  -- As entered, and its safe part, scoped to `.portal`.
  custom_css text not null default '',
  scoped_css text not null default '',
  hide_powered_by boolean not null default false,
  custom_domain text,
  -- The value that the DNS record must have.
  custom_domain_token text,
  -- The organization owns the domain while this is set. Checked every day; cleared when the record has been missing for too long.
  custom_domain_verified_at timestamptz(3),
  custom_domain_checked_at timestamptz(3),
  -- The first check that did not find the record; null while it exists.
  custom_domain_missing_since timestamptz(3),
  -- Since when links use the subdomain instead.
  custom_domain_lapsed_at timestamptz(3),
  email_template_header text not null default '',
  email_template_footer text not null default '',
  updated_at timestamptz(3) not null default now()
);
-- Several organizations may enter a domain; only one can verify it.
create unique index branding_custom_domain on branding (custom_domain) where custom_domain_verified_at is not null;
-- The domains to check next.
create index branding_custom_domain_checks on branding (custom_domain_checked_at nulls first) where custom_domain_verified_at is not null;
select tenant_isolation('branding');
-- The organization is found by its custom domain.
select system_readable('branding');
comment on table branding is 'The branding of an organization. Without a row, all defaults apply.';

create table branding_assets (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  content_type text not null,
  content bytea not null check (octet_length(content) between 1 and 524288),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
create unique index branding_assets_by_id on branding_assets (id);
select tenant_isolation('branding_assets');
-- Emails and public pages request an image by its ID.
select system_readable('branding_assets');
comment on table branding_assets is 'Logos and icons. A row is never changed: a new image has a new ID.';

create table widgets (
  organization_id uuid primary key references organizations (id) on delete cascade,
  allowed_sites text[] not null default '{}',
  identity_required boolean not null default false,
  -- Sealed with the purpose `widget-identity`.
  sealed_secret text,
  -- For sites whose snippet has no `data-theme`.
  theme text not null default 'auto',
  updated_at timestamptz(3) not null default now(),
  constraint widgets_theme_check check (theme in ('light', 'dark', 'auto'))
);
select tenant_isolation('widgets');
-- The organization is found by the widget's key.
select system_readable('widgets');
comment on table widgets is 'Settings of the widget.';

-- ===== Audit log =====

create table audit_log (
  -- UUIDv7, so entries are in order of time.
  id uuid not null,
  organization_id uuid not null,
  type text not null,
  category text not null,
  severity text not null,
  occurred_at timestamptz not null default clock_timestamp(),
  actor_id uuid,
  -- The address at that time.
  actor_email text,
  target text,
  ip text,
  user_agent text,
  changes jsonb,
  primary key (organization_id, id),
  constraint audit_log_category_check check (category in ('security', 'team', 'settings')),
  constraint audit_log_severity_check check (severity in ('low', 'medium', 'high'))
);
create index audit_log_category_idx on audit_log (organization_id, category, id desc);
create index audit_log_type_idx on audit_log (organization_id, type, id desc);
create index audit_log_actor_idx on audit_log (organization_id, actor_id, id desc);
create index audit_log_occurred_at_idx on audit_log (occurred_at);
-- High severity is rare: without this index a page of such entries would read the whole log.
create index audit_log_high_idx on audit_log (organization_id, id desc) where severity = 'high';
select tenant_isolation('audit_log');
-- A failed sign-in is recorded without a tenant. The cleanup deletes old entries of all organizations.
select system_insertable('audit_log');
select system_readable('audit_log');
select system_deletable('audit_log');
comment on table audit_log is 'Who changed what, when and from where. Entries are never changed.';
