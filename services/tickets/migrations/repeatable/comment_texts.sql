-- Keeps ticket_texts up to date with comments. Its functions are in ticket_texts.sql.

-- A merge moves comments to another ticket. Their rows move along; parsing a long conversation again could exceed the statement timeout.
create or replace function index_comment_text() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.content = old.content then
    update ticket_texts x set created_at = t.created_at, ticket_id = t.id
    from tickets f, tickets t
    where f.organization_id = old.organization_id and f.id = old.ticket_id
      and t.organization_id = old.organization_id and t.id = new.ticket_id
      and x.organization_id = f.organization_id and x.created_at = f.created_at and x.ticket_id = f.id and x.source_id = old.id;
    return null;
  end if;
  if tg_op <> 'INSERT' then
    delete from ticket_texts using tickets t
    where t.organization_id = old.organization_id and t.id = old.ticket_id and ticket_texts.organization_id = t.organization_id
      and ticket_texts.created_at = t.created_at and ticket_texts.ticket_id = t.id and source_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into ticket_texts (organization_id, created_at, ticket_id, source_id, words)
    select t.organization_id, t.created_at, t.id, new.id, search_words(new.content)
    from tickets t where t.organization_id = new.organization_id and t.id = new.ticket_id;
  end if;
  return null;
end $$;

create or replace trigger index_comment_text after insert or delete or update of content, ticket_id on comments
  for each row execute function index_comment_text();
