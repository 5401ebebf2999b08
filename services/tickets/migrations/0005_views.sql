-- Tags as rows, kept by a trigger: under row-level security an array's index is never used (its operators are not leakproof), and an
-- equality on text is. With the status, because "tagged so and still open" is what people look for: a common tag on old tickets must
-- not be walked through to find the few open ones. Writing it costs two small rows per ticket and change of status.
create table ticket_tags (
  organization_id uuid not null,
  tag text not null,
  status text not null,
  created_at timestamptz(3) not null,
  ticket_id uuid not null,
  primary key (organization_id, ticket_id, tag),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('ticket_tags');
create index ticket_tags_newest on ticket_tags (organization_id, tag, status, created_at desc, ticket_id desc);

create function keep_ticket_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from ticket_tags
    where organization_id = new.organization_id and ticket_id = new.id and tag <> all (new.tags);
    if new.status <> old.status then
      update ticket_tags set status = new.status where organization_id = new.organization_id and ticket_id = new.id;
    end if;
  end if;
  insert into ticket_tags (organization_id, tag, status, created_at, ticket_id)
  select distinct new.organization_id, tag, new.status, new.created_at, new.id from unnest(new.tags) as tag
  on conflict do nothing;
  return null;
end $$;
create trigger keep_ticket_tags_of_new after insert on tickets for each row when (new.tags <> '{}') execute function keep_ticket_tags();
create trigger keep_ticket_tags after update of tags, status on tickets for each row
  when (old.tags is distinct from new.tags or (old.status <> new.status and new.tags <> '{}')) execute function keep_ticket_tags();

-- The indexes of the list. Each change of a ticket moves updated_at, which one of them has: so no update stays inside its page ("HOT"),
-- and each writes into every index there is. Hence no index per pair of filters but the fewest that answer all of them: the list is put
-- together from one branch per status (ticket-list.store.ts), each read in the order of its index, so that `status` as the first column
-- serves the filter and its absence alike. None of them has a column that grows, and none is a GIN (see 0010_text_search.sql).

-- By priority, and status with priority newest first. Replaces the index of 0001 with `priority` as text, which sorts 'low' before 'medium'.
drop index tickets_by_status_priority;
create index tickets_by_priority on tickets (organization_id, status, priority_rank desc, created_at desc, id desc);

-- Recently updated first.
create index tickets_by_update on tickets (organization_id, status, updated_at desc, id desc);

-- Due first. Small: tickets that are over have no clock and sort last, among themselves by age, for which tickets_by_status is there.
-- `case`, because PostgreSQL does not take `coalesce` for leakproof: under row-level security a cursor would not reach the index.
create index tickets_by_due on tickets (organization_id, status, (case when next_due_at is null then 'infinity'::timestamptz else next_due_at end), created_at, id)
  where status in ('open', 'in_progress', 'waiting_for_customer');

-- One person's, and nobody's: with the status, because what is still to do is a few among thousands that are done.
drop index tickets_by_assignee;
create index tickets_by_assignee on tickets (organization_id, assigned_to, status, created_at desc, id desc);
drop index tickets_unassigned;
create index tickets_unassigned on tickets (organization_id, status, created_at desc, id desc) where assigned_to is null;

-- A category is a tenth of all tickets, rather than a handful: with the status for the same reason. Tickets without one are not in it.
create index tickets_by_category on tickets (organization_id, category, status, created_at desc, id desc) where category is not null;

create table views (
  organization_id uuid not null,
  id uuid not null,
  name text not null check (char_length(name) between 1 and 60),
  filter jsonb not null,
  is_shared boolean not null,
  owner_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
select tenant_isolation('views');
create index views_of_owner on views (organization_id, owner_id);
