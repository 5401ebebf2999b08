create table sender_domains (
  organization_id uuid primary key,
  domain text not null,
  local_part text not null,
  -- What the last check found: sender-lookup.ts.
  lookup jsonb,
  checked_at timestamptz(3),
  next_check_at timestamptz(3) not null default now(),
  -- Null while emails come from the product's domain.
  verified_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index sender_domains_next_check_at on sender_domains (next_check_at);
select tenant_isolation('sender_domains');
select system_readable('sender_domains');
comment on table sender_domains is 'Domains that emails to customers come from.';

create table sender_keys (
  organization_id uuid not null references sender_domains on delete cascade,
  -- The record is tnd{selector}._domainkey. A new key gets the selector that is not in use.
  selector integer not null check (selector in (1, 2)),
  sealed_private_key text not null,
  -- The value of `p=` in the record.
  public_key text not null,
  state text not null check (state in ('active', 'next', 'retired')),
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3),
  primary key (organization_id, selector)
);
create unique index sender_keys_active on sender_keys (organization_id) where state = 'active';
select tenant_isolation('sender_keys');
select system_readable('sender_keys');
comment on table sender_keys is 'DKIM keys of sender domains. Private keys are sealed.';
