-- Through which door a ticket came, which one it goes on with, and whether a website vouched for its customer.
alter table tickets
  add column channel text check (channel in ('staff', 'portal', 'email', 'widget', 'api')),
  add column follow_up_of_id uuid,
  add column customer_verified boolean not null default false;

alter table comments
  -- Came by mail: see mail_originals.
  add column has_original boolean not null default false;
-- What an unknown sender wrote to a known ticket is an internal note with their address.
alter table comments drop constraint comments_check1;
alter table comments add constraint comments_customer_email_check
  check (case when is_from_customer then customer_email is not null else customer_email is null or (is_internal and user_id is null) end);

-- What a customer reads of a conversation, page by page: however many notes stand in between, none of them is looked at.
create index comments_of_customer on comments (organization_id, ticket_id, created_at, id) where not is_internal;

-- What tickets keeps of how an organization meets its customers.
alter table organizations
  add column customer_follow_up text not null default 'locked' check (customer_follow_up in ('locked', 'reopen', 'new_ticket')),
  add column instant_lookup boolean not null default false;
-- Of the widget: from its own events, which have their own sequence.
create table widgets (
  organization_id uuid primary key,
  identity_required boolean not null,
  sealed_secret text,
  sequence bigint not null
);
select tenant_isolation('widgets');

-- A customer announces files without an account: they are the organization's to count, and nobody's else to use.
alter table attachments add column from_customer boolean not null default false;

create table surveys (
  organization_id uuid not null,
  ticket_id uuid not null,
  customer_email text not null,
  rating smallint not null check (rating between 1 and 5),
  feedback text check (char_length(feedback) <= 5000),
  created_at timestamptz(3) not null,
  -- Once per ticket.
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('surveys');
