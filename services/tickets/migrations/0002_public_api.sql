alter table tickets
  add external_id text check (char_length(external_id) between 1 and 255),
  -- The transaction that created or last changed the ticket: each change sets it. Numbers of transactions, unlike times, show which changes
  -- are still to be committed.
  add changed_in bigint not null default pg_current_xact_id()::text::bigint;

-- With `changed_in`, to find the first change after a time for tickets_by_change.
drop index tickets_by_update;
create index tickets_by_update on tickets (organization_id, status, updated_at desc, id desc) include (changed_in);
create index tickets_by_change on tickets (organization_id, changed_in, id);
create unique index tickets_external_id on tickets (organization_id, external_id) where external_id is not null;

-- The API token that wrote it: {id, name, via}, with the name at that time.
alter table comments add token jsonb;
alter table activities add token jsonb, add check ((actor_type = 'token') = (token is not null));
