-- Keeps ticket_texts, which ticket_search.sql searches, up to date with tickets; comment_texts.sql does so with comments. The functions are in
-- PL/pgSQL because PostgreSQL plans the body of an SQL function again at each call that it cannot inline.

-- Replaces punctuation by spaces, so that each part of an address, a path or `foo-bar` can be found. The parser of PostgreSQL treats ASCII
-- punctuation as part of addresses, tags and numbers, and all other punctuation as letters: quotes, dashes, full-width and Arabic
-- punctuation are listed here, and characters that only set the direction of writing are removed.
create or replace function replace_punctuation(content text) returns text language plpgsql immutable strict parallel safe as $$
declare
  plain constant text := translate(content, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32));
begin
  if octet_length(plain) = char_length(plain) then
    return plain;
  end if;
  return translate(plain,
    U&'\00A0\00A1\00AB\00B7\00BB\00BF\2010\2011\2012\2013\2014\2015\2018\2019\201A\201C\201D\201E\2022\2026\2039\203A\2028\2029\202F'
      '\060C\061B\061F\06D4\3000\3001\3002\300C\300D\300E\300F\3010\3011\FF01\FF08\FF09\FF0C\FF0E\FF0F\FF1A\FF1B\FF1F'
      '\200B\200E\200F\202A\202B\202C\202D\202E\2066\2067\2068\2069\FEFF',
    repeat(' ', 47));
end
$$;

-- The words of a text in any language: lower case, no stemming, no stop words, no positions. A tsvector is limited to 1 MB, so of a longer
-- text only the beginning is indexed. Up to 20,000 characters cannot exceed the limit, which avoids the cost of a savepoint.
create or replace function search_words(content text) returns tsvector language plpgsql immutable strict parallel safe
as $$
declare
  plain constant text := replace_punctuation(content);
  length_limit integer := char_length(plain);
begin
  if length_limit <= 20000 then
    return strip(to_tsvector('simple', plain));
  end if;
  loop
    begin
      return strip(to_tsvector('simple', left(plain, length_limit)));
    exception when program_limit_exceeded then
      length_limit := length_limit / 2;
    end;
  end loop;
end
$$;

-- The words of a ticket's own texts: the description, and the texts and numbers of its custom fields.
create or replace function ticket_words(t tickets) returns tsvector language plpgsql immutable as $$
begin
  if t.custom_fields = '{}' then
    return search_words(coalesce(t.description, ''));
  end if;
  return search_words(coalesce(t.description, '') || (
    select coalesce(string_agg(chr(10) || (v #>> '{}'), ''), '')
    from jsonb_path_query(t.custom_fields, '$.**') as v where jsonb_typeof(v) in ('string', 'number')));
end
$$;

create or replace function short_fields(t tickets) returns text language plpgsql immutable as $$
begin
  return lower(t.subject || chr(31) || coalesce(t.customer_name, '') || chr(31) || t.customer_email || chr(31) || t.ticket_number);
end
$$;

create or replace function index_ticket_text() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from ticket_texts where organization_id = old.organization_id and created_at = old.created_at and ticket_id = old.id;
  elsif tg_op = 'INSERT' then
    insert into ticket_texts (organization_id, created_at, ticket_id, source_id, search_text, words)
    values (new.organization_id, new.created_at, new.id, new.id, short_fields(new), ticket_words(new));
  else
    update ticket_texts set search_text = short_fields(new), words = ticket_words(new)
    where organization_id = new.organization_id and created_at = new.created_at and ticket_id = new.id and source_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger index_ticket_text after insert or delete on tickets for each row execute function index_ticket_text();
create or replace trigger index_ticket_text_on_update after update of subject, description, customer_name, customer_email, custom_fields
  on tickets
  for each row
  when ((old.subject, old.description, old.customer_name, old.customer_email, old.custom_fields)
    is distinct from (new.subject, new.description, new.customer_name, new.customer_email, new.custom_fields))
  execute function index_ticket_text();
