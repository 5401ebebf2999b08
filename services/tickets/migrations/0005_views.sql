-- Tags as rows, kept by a trigger: under row-level security an array's index is never used (its operators are not leakproof), and an
-- equality on text is. In the order of the list, so that a rare tag and a common one both cost one page.
create table ticket_tags (
  organization_id uuid not null,
  tag text not null,
  created_at timestamptz(3) not null,
  ticket_id uuid not null,
  primary key (organization_id, tag, created_at, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('ticket_tags');
create index ticket_tags_of_ticket on ticket_tags (organization_id, ticket_id);

create function keep_ticket_tags() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from ticket_tags
    where organization_id = new.organization_id and ticket_id = new.id and tag <> all (new.tags);
  end if;
  insert into ticket_tags (organization_id, tag, created_at, ticket_id)
  select distinct new.organization_id, tag, new.created_at, new.id from unnest(new.tags) as tag
  on conflict do nothing;
  return null;
end $$;
create trigger keep_ticket_tags_of_new after insert on tickets for each row when (new.tags <> '{}') execute function keep_ticket_tags();
create trigger keep_ticket_tags after update of tags on tickets for each row when (old.tags is distinct from new.tags) execute function keep_ticket_tags();

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
