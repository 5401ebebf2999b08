-- How the organization meets its customers.
alter table organizations
  add column customer_follow_up text not null default 'locked' check (customer_follow_up in ('locked', 'reopen', 'new_ticket')),
  add column instant_lookup boolean not null default false;

-- Spec part 2, section 3. No row: all defaults.
create table branding (
  organization_id uuid primary key references organizations (id) on delete cascade,
  primary_color text not null default '#3B82F6',
  secondary_color text not null default '#8B5CF6',
  logo_id uuid,
  favicon_id uuid,
  -- As typed, and what of it is safe, below `.portal`.
  custom_css text not null default '',
  scoped_css text not null default '',
  hide_powered_by boolean not null default false,
  custom_domain text,
  -- What the DNS record must say; made with the domain.
  custom_domain_token text,
  custom_domain_verified_at timestamptz(3),
  email_template_header text not null default '',
  email_template_footer text not null default '',
  updated_at timestamptz(3) not null default now()
);
select tenant_isolation('branding');
-- A host name is all that is known of the organization.
select system_readable('branding');
-- Anybody may say that a domain is theirs; one of them can prove it.
create unique index branding_custom_domain on branding (custom_domain) where custom_domain_verified_at is not null;

-- Logos and icons: small, few, and in each mail. Never changed: another picture has another id.
create table branding_assets (
  organization_id uuid not null references organizations (id) on delete cascade,
  id uuid not null,
  content_type text not null,
  content bytea not null check (octet_length(content) between 1 and 524288),
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, id)
);
select tenant_isolation('branding_assets');
-- Mails and public pages ask for a picture by its id alone.
select system_readable('branding_assets');
create unique index branding_assets_by_id on branding_assets (id);

create table widgets (
  organization_id uuid primary key references organizations (id) on delete cascade,
  allowed_sites text[] not null default '{}',
  identity_required boolean not null default false,
  -- Sealed with the purpose `widget-identity`.
  sealed_secret text,
  updated_at timestamptz(3) not null default now()
);
select tenant_isolation('widgets');
-- A widget's key is all that is known of the organization.
select system_readable('widgets');
