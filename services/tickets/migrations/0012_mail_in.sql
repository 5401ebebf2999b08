-- Host labels below the mail domain, `support@{label}.{mail domain}`: every subdomain that an organization has had, and when it had it last.
-- The latest of those who had a label gets its mail. An organization's id always works, and stands in no row.
create table mail_labels (
  organization_id uuid not null,
  label text not null,
  had_at timestamptz(3) not null,
  primary key (organization_id, label)
);
select tenant_isolation('mail_labels');
-- A mail's recipient is all that is known of the organization.
select system_readable('mail_labels');
create index mail_labels_by_label on mail_labels (label, had_at desc);
-- Those who are here already: long before anything that is announced from now on.
alter table organizations no force row level security;
alter table mail_labels no force row level security;
insert into mail_labels (organization_id, label, had_at)
  select organization_id, lower(subdomain), '2000-01-01T00:00:00Z' from organizations where subdomain is not null;
alter table organizations force row level security;
alter table mail_labels force row level security;

-- One row per mail, before anybody is told that we have it: the bytes go when its work is done.
create table inbound_mails (
  organization_id uuid not null,
  id uuid not null,
  -- The envelope's recipient, and its sender: empty for reports.
  to_address text not null,
  envelope_from text not null,
  -- Kept while it waits, and of what could not be read or worked on: null for everything else.
  raw bytea,
  size integer not null,
  from_address text,
  -- Whose mailbox that is, in one spelling: no case, no +tag.
  sender_mailbox text,
  subject text,
  message_id text,
  -- SHA-256 of what its sender wrote, with the Message-ID: the same mail by two ways has other bytes (its way stands in them), and this in common.
  likeness text,
  -- SHA-256 of the bytes and the recipient: what is offered again after a lost answer is one.
  digest text not null,
  outcome text check (outcome in ('ticket', 'comment', 'note', 'bounce', 'ignored', 'refused')),
  reason text,
  ticket_id uuid,
  comment_id uuid,
  received_at timestamptz(3) not null default now(),
  primary key (organization_id, id),
  unique (organization_id, digest)
);
select tenant_isolation('inbound_mails');
-- The sweep looks for what waits, and removes what is past its time.
select system_readable('inbound_mails');
select system_deletable('inbound_mails');
create index inbound_mails_waiting on inbound_mails (received_at) where outcome is null;
-- How much of an organization waits: asked before each mail is taken.
create index inbound_mails_waiting_of on inbound_mails (organization_id) include (size) where outcome is null;
-- How many tickets mails opened lately.
create index inbound_mails_opening on inbound_mails (organization_id, received_at) where outcome = 'ticket';
create index inbound_mails_latest on inbound_mails (organization_id, received_at desc, id desc);
create index inbound_mails_old on inbound_mails (received_at);
-- How many tickets a sender opened lately, and whether a mail came before.
create index inbound_mails_of_sender on inbound_mails (organization_id, sender_mailbox, received_at) where sender_mailbox is not null;
create index inbound_mails_of_message on inbound_mails (organization_id, message_id) where message_id is not null;

-- What of a mail does not stand in the conversation. `comment_id` null: of the ticket's description.
create table mail_originals (
  organization_id uuid not null,
  ticket_id uuid not null,
  comment_id uuid,
  from_address text,
  subject text,
  sent_at timestamptz(3),
  text text not null,
  quoted_text text,
  html text,
  created_at timestamptz(3) not null default now(),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade,
  unique nulls not distinct (organization_id, ticket_id, comment_id)
);
select tenant_isolation('mail_originals');

-- A mailbox that is fetched by IMAP; one per organization.
create table mailboxes (
  organization_id uuid primary key,
  id uuid not null,
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text not null,
  -- Sealed with the purpose `mailbox`.
  sealed_password text not null,
  folder text not null,
  is_active boolean not null,
  last_polled_at timestamptz(3),
  last_error text,
  -- While a process looks into it.
  claimed_until timestamptz(3),
  updated_at timestamptz(3) not null default now()
);
select tenant_isolation('mailboxes');
-- Whose turn it is.
select system_readable('mailboxes');
