-- What notifications remembers of each organization: enough to sign a mail and to build a link.
create table organizations (
  organization_id uuid primary key,
  name text not null,
  subdomain text,
  sequence integer not null
);
select tenant_isolation('organizations');

-- One row per mail to do with a ticket, before there is any job for it: the log that staff read, and what the sweeper rebuilds Redis from.
create table emails (
  id uuid primary key,
  organization_id uuid not null,
  kind text not null check (kind in ('ticket_created', 'ticket_links', 'confirm_email', 'account_exists')),
  to_address text not null,
  -- What the template needs. Secrets in it are sealed, and removed once the mail is sent.
  data jsonb not null,
  ticket_id uuid,
  -- The event that asked for it: one mail of a kind per event, however often the event arrives.
  event_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed')),
  -- While `sending`: until then no other worker may take it up. Past it, its worker is taken for dead.
  claimed_until timestamptz,
  attempts integer not null default 0,
  last_error text,
  message_id text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (event_id, kind, to_address)
);
-- The sweeper asks for what is not finished; there are few of these at any time.
create index emails_unfinished on emails (created_at) where state in ('pending', 'sending');
-- The delivery log of one ticket.
create index emails_of_ticket on emails (organization_id, ticket_id, created_at) where ticket_id is not null;
select tenant_isolation('emails');
-- The sweeper looks for forgotten ones across organizations.
select system_readable('emails');

-- The same for mails to a person who belongs to no organization yet (confirmation of an address).
create table account_emails (like emails including all);
alter table account_emails alter column organization_id drop not null, add check (organization_id is null);
comment on table account_emails is 'tenancy: none — to a person about their own account, who may be in no organization';
