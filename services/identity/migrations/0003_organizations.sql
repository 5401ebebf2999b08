create table organizations (
  id uuid primary key,
  -- The organization is its own tenant: the same policy as everywhere.
  organization_id uuid not null,
  name text not null,
  -- Describes the name and addresses nothing, so two organizations of one name may share it.
  slug text not null,
  -- Addresses the portal: unique over all organizations, null for none.
  subdomain text,
  ticket_prefix text not null,
  trial_ends_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint organizations_organization_id_check check (organization_id = id),
  constraint organizations_subdomain_key unique (subdomain),
  constraint organizations_name_check check (char_length(name) between 1 and 100 and name = btrim(name)),
  constraint organizations_subdomain_check check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,28}[a-z0-9]$'),
  constraint organizations_ticket_prefix_check check (ticket_prefix ~ '^[A-Z]{2,5}$')
);
select tenant_isolation('organizations');
-- A host name, and a person who signs in, must be given their organization before there is a tenant.
select system_readable('organizations');
-- 'The first organization found', which localhost stands for.
create index organizations_created_at_idx on organizations (created_at, id);

-- A person's place in an organization (the specification's profile).
create table members (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  role text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id),
  -- One organization per person; decides between two requests at once.
  constraint members_user_id_key unique (user_id),
  constraint members_role_check check (role in ('admin', 'manager', 'agent'))
);
select tenant_isolation('members');
-- Who signs in is asked for by person, not by organization.
select system_readable('members');
-- The team page, oldest member first.
create index members_organization_id_created_at_idx on members (organization_id, created_at, user_id);
