create table comments (
  organization_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  content text not null check (char_length(content) between 1 and 100000),
  is_internal boolean not null,
  is_from_customer boolean not null,
  user_id uuid,
  customer_email text,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  -- With the organization in the key, a comment cannot hang on another organization's ticket.
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade,
  check (not (is_internal and is_from_customer)),
  check (is_from_customer = (customer_email is not null)),
  check (not (is_from_customer and user_id is not null))
);
select tenant_isolation('comments');

create index comments_of_ticket on comments (organization_id, ticket_id, created_at, id);
