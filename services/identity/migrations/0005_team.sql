alter table organizations add column require_mfa_for_admins boolean not null default false;

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  email text not null,
  role text not null,
  status text not null default 'pending',
  -- Of the latest link: sending it again replaces it.
  token_hash text not null,
  invited_by uuid references users (id) on delete set null,
  -- How many mails this invitation has sent since `mails_since`: nobody's mailbox is our cannon's target.
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
select tenant_isolation('invitations');
-- A link is all that its bearer shows.
select system_readable('invitations');
-- One pending invitation per address: decides between two requests at once.
create unique index invitations_pending_key on invitations (organization_id, email) where status = 'pending';
-- The team page, the latest first.
create index invitations_organization_id_created_at_idx on invitations (organization_id, created_at desc, id desc);
