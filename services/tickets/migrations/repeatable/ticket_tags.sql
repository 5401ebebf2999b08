-- Copies the tags of a ticket, and its status, to ticket_tags.
create or replace function copy_ticket_tags() returns trigger language plpgsql as $$
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

create or replace trigger copy_ticket_tags_on_insert after insert on tickets for each row
  when (new.tags <> '{}') execute function copy_ticket_tags();
create or replace trigger copy_ticket_tags_on_update after update of tags, status on tickets for each row
  when (old.tags is distinct from new.tags or (old.status <> new.status and new.tags <> '{}')) execute function copy_ticket_tags();
