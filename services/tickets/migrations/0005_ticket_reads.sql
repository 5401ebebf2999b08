alter table tickets
  -- Of the last comment, public or internal.
  add last_comment_at timestamptz(3),
  -- Whether the newest public comment is the customer's.
  add customer_replied_last boolean not null default false;

-- Tickets that were created before, and that the member has not opened, count as read: a new member does not begin with a full list.
alter table members add unread_since timestamptz(3) not null default now();

create table ticket_reads (
  organization_id uuid not null,
  user_id uuid not null,
  ticket_id uuid not null,
  -- The time of the newest comment that the user has seen. Comments of one ticket have different times.
  read_until timestamptz(3) not null,
  primary key (organization_id, user_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('ticket_reads');
comment on table ticket_reads is 'How far each user has read each ticket that they have opened.';
