-- What a search looks into, as rows of their own: one per ticket (its four short fields, and the words of its description) and one per
-- comment (its words). Not as columns of tickets: each comment changes its ticket, each such change would write the ticket's entries
-- into the GIN indexes anew, and these are by far the dearest of all. A text is indexed when it is written, and never again.
--
-- `created_at` is the ticket's: the primary key read backwards is the order of the list.
create table ticket_texts (
  organization_id uuid not null,
  created_at timestamptz(3) not null,
  ticket_id uuid not null,
  -- The comment's id; the ticket's, when the row is its own.
  source_id uuid not null,
  -- The four fields of which a part is enough (spec part 2, section 7); the unit separator keeps a match inside one of them.
  search_text text,
  words tsvector not null,
  primary key (organization_id, created_at, ticket_id, source_id)
);
select tenant_isolation('ticket_texts');

-- A text in which punctuation only separates, so that an address, a path or `foo-bar` is found by each of its parts. The parser knows
-- ASCII punctuation as parts of addresses, tags and numbers, and takes all else for letters: quotes, dashes, full-width and Arabic
-- punctuation are named here, and what only steers the direction of writing goes.
create function separated(content text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(plain) = char_length(plain) then plain else translate(plain,
    U&'\00A0\00A1\00AB\00B7\00BB\00BF\2010\2011\2012\2013\2014\2015\2018\2019\201A\201C\201D\201E\2022\2026\2039\203A\2028\2029\202F'
      '\060C\061B\061F\06D4\3000\3001\3002\300C\300D\300E\300F\3010\3011\FF01\FF08\FF09\FF0C\FF0E\FF0F\FF1A\FF1B\FF1F'
      '\200B\200E\200F\202A\202B\202C\202D\202E\2066\2067\2068\2069\FEFF',
    repeat(' ', 47)) end
  from translate(content, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)) as plain
$$;

-- The words of a text in any language: lower case, no stemming, no stop words, without positions, which nobody asks for. A tsvector holds
-- at most 1 MB and says so with an error: then fewer characters are indexed. Below 20,000 it cannot happen, and such texts are spared the
-- savepoint.
create function words_of(content text) returns tsvector language plpgsql immutable strict parallel safe
as $$
declare
  plain constant text := separated(content);
  reach integer := char_length(plain);
begin
  if reach <= 20000 then
    return strip(to_tsvector('simple', plain));
  end if;
  loop
    begin
      return strip(to_tsvector('simple', left(plain, reach)));
    exception when program_limit_exceeded then
      reach := reach / 2;
    end;
  end loop;
end
$$;

create function short_text_of(t tickets) returns text language sql immutable as $$
  select lower(t.subject || chr(31) || coalesce(t.customer_name, '') || chr(31) || t.customer_email || chr(31) || t.ticket_number)
$$;

create function keep_text_of_ticket() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from ticket_texts where organization_id = old.organization_id and created_at = old.created_at and ticket_id = old.id;
  elsif tg_op = 'INSERT' then
    insert into ticket_texts (organization_id, created_at, ticket_id, source_id, search_text, words)
    values (new.organization_id, new.created_at, new.id, new.id, short_text_of(new), words_of(coalesce(new.description, '')));
  else
    update ticket_texts set search_text = short_text_of(new), words = words_of(coalesce(new.description, ''))
    where organization_id = new.organization_id and created_at = new.created_at and ticket_id = new.id and source_id = new.id;
  end if;
  return null;
end $$;
create trigger keep_text_of_ticket after insert or delete on tickets for each row execute function keep_text_of_ticket();
create trigger keep_changed_text_of_ticket after update of subject, description, customer_name, customer_email on tickets for each row
  when ((old.subject, old.description, old.customer_name, old.customer_email)
    is distinct from (new.subject, new.description, new.customer_name, new.customer_email))
  execute function keep_text_of_ticket();

-- A merge moves comments to another ticket: their words move along. Read anew, those of a long conversation would take longer than a
-- statement may.
create function keep_text_of_comment() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.content = old.content then
    update ticket_texts x set created_at = t.created_at, ticket_id = t.id
    from tickets f, tickets t
    where f.organization_id = old.organization_id and f.id = old.ticket_id and t.organization_id = old.organization_id and t.id = new.ticket_id
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
    select t.organization_id, t.created_at, t.id, new.id, words_of(new.content)
    from tickets t where t.organization_id = new.organization_id and t.id = new.ticket_id;
  end if;
  return null;
end $$;
create trigger keep_text_of_comment after insert or delete or update of content, ticket_id on comments
  for each row execute function keep_text_of_comment();

-- What is there already.
alter table tickets no force row level security;
alter table comments no force row level security;
alter table ticket_texts no force row level security;
insert into ticket_texts (organization_id, created_at, ticket_id, source_id, search_text, words)
select t.organization_id, t.created_at, t.id, t.id, short_text_of(t), words_of(coalesce(t.description, '')) from tickets t;
insert into ticket_texts (organization_id, created_at, ticket_id, source_id, words)
select t.organization_id, t.created_at, t.id, c.id, words_of(c.content)
from comments c join tickets t on t.organization_id = c.organization_id and t.id = c.ticket_id;
alter table tickets force row level security;
alter table comments force row level security;
alter table ticket_texts force row level security;

drop index tickets_search;
alter table tickets drop column search_text;

-- Used only inside find_tickets_by_text. `fastupdate` stays on (off costs six times the insert), but every search reads the entries that
-- are still pending: at most 1 MB of them instead of 4.
create index ticket_texts_search on ticket_texts using gin (organization_id, search_text gin_trgm_ops, words)
  with (gin_pending_list_limit = 1024);

-- Under row-level security neither LIKE nor @@ reaches an index: they are not leakproof, so the policy must be evaluated first, row by
-- row. The one function below therefore reads as the tables' owner. What keeps it honest:
--   1. it filters by the same setting as the policy, and without that setting it fails;
--   2. it hands out ids only: the caller reads the rows themselves under row-level security;
--   3. only the fixed texts below are put together, values arrive as parameters;
--   4. its search_path is pinned.
-- Row-level security is forced on the owner too, hence the policies (that of tickets is in 0002): they open reading to the owner, who
-- could switch row-level security off anyway. The service's own role has no part in it.
create policy owner_reads_for_search on ticket_texts for select to current_user using (true);

drop function find_tickets_by_text(text, text[], text[], uuid, boolean, timestamptz, uuid, integer, integer, boolean);

-- The ids of one page of the tickets that have `needle` (a LIKE pattern, escaped by the caller) in a short field, or all words of
-- `typed` in their description or in one comment. What `filter` does not name does not narrow. `in_order`: 'newest' or 'oldest' first,
-- from the place after; 'any': max_rows of them, for counting.
--
-- No single plan wins, and the planner cannot choose: under a policy it may not use the columns' statistics. So:
--   narrow   where a customer or ids are given, or the other filters leave few tickets: these, and their texts;
--   walk     the texts in the order of the list until the page is full: for a word that is common, for a small organization, and below
--            three characters, of which the trigram index knows nothing;
--   index    for everything else: what is rare or missing is found at once.
-- How common a word is, a glance at 100 texts tells; a walk that disappoints ends after 4,000 and the index takes over.
-- The set_config calls last until the function returns, because it sets the same parameters above.
create function find_tickets_by_text(filter jsonb, in_order text, max_rows integer, skip_rows integer) returns table (id uuid)
language plpgsql stable security definer rows 25
set search_path = pg_catalog, public, pg_temp
set client_min_messages = warning
set jit = off
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = on
set enable_bitmapscan = on
set enable_indexscan = on
set enable_hashagg = on
as $$
declare
  walk_below constant integer := 500;
  glance constant integer := 100;
  few constant integer := 2000;
  tenant constant uuid := current_setting('app.organization_id')::uuid;
  size constant integer := coalesce((select c.last_number from ticket_counters c where c.organization_id = tenant), 0);
  f record;
  asked tsquery;
  direction constant text := case in_order when 'oldest' then '' else ' desc' end;
  hit text;
  place text;
  wanted text;
  texts text;
  run text;
  is_narrow boolean;
  hits integer := 0;
  reach integer := 4000;
  found_ids uuid[];
begin
  select * into f from jsonb_to_record(filter) as r(
    needle text, typed text, statuses text[], priorities text[], assignee uuid, is_unassigned boolean, category text, tags text[],
    customer_email text, ids uuid[], created_from timestamptz, created_to timestamptz, after_created_at timestamptz, after_id uuid);
  asked := plainto_tsquery('simple', separated(f.typed));
  hit := case when numnode(asked) = 0 then ' and x.search_text like lower($2)'
              else ' and (x.search_text like lower($2) or x.words @@ $3)' end;
  place := case when f.created_from is null then '' else ' and x.created_at >= $11' end
    || case when f.created_to is null then '' else ' and x.created_at < $12' end
    || case when f.after_id is null then ''
            else ' and (x.created_at, x.ticket_id) ' || case in_order when 'oldest' then '>' else '<' end || ' ($13, $14)' end;
  wanted := case when f.statuses is null then '' else ' and t.status = any($4)' end
    || case when f.priorities is null then '' else ' and t.priority = any($5)' end
    || case when f.assignee is null then '' else ' and t.assigned_to = $6' end
    || case when f.is_unassigned then ' and t.assigned_to is null' else '' end
    || case when f.category is null then '' else ' and t.category = $7' end
    || case when f.tags is null then '' else ' and t.tags && $8' end
    || case when f.customer_email is null then '' else ' and t.customer_email = $9' end
    || case when f.ids is null then '' else ' and t.id = any($10)' end;

  is_narrow := f.ids is not null or f.customer_email is not null;
  -- Whether another filter leaves only a few, counting them tells, no further than 2,000.
  if not is_narrow and (f.assignee is not null or f.is_unassigned or f.category is not null or f.statuses is not null) then
    perform set_config('enable_bitmapscan', 'off', true);
    execute 'select count(*) from (select from tickets t where t.organization_id = $1' || wanted || ' limit $15) few'
      into hits using tenant, f.needle, asked, f.statuses, f.priorities, f.assignee, f.category, f.tags,
      f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, few + 1, skip_rows, reach;
    perform set_config('enable_bitmapscan', 'on', true);
    is_narrow := hits <= few;
  end if;
  if is_narrow then
    perform set_config('enable_bitmapscan', 'off', true);
    run := 'select t.id from tickets t where t.organization_id = $1' || replace(replace(place, 'x.ticket_id', 't.id'), 'x.', 't.') || wanted
      || ' and exists (select from ticket_texts x where x.organization_id = $1 and x.created_at = t.created_at and x.ticket_id = t.id' || hit
      || ') order by t.created_at' || direction || ', t.id' || direction || ' limit $15 offset $16';
    return query execute run using tenant, f.needle, asked, f.statuses, f.priorities, f.assignee, f.category, f.tags,
      f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, reach;
    return;
  end if;

  -- %s: the texts to look at, all or the next few. A ticket of several texts that match is one.
  texts := 'select * from ticket_texts x where x.organization_id = $1' || place
    || ' order by x.created_at' || direction || ', x.ticket_id' || direction || ' limit $17';
  run := 'select s.ticket_id from (select x.created_at, x.ticket_id from %s x'
    || case when wanted = '' then '' else ' join tickets t on t.organization_id = x.organization_id and t.id = x.ticket_id' end
    || ' where x.organization_id = $1' || place || hit || wanted || ' group by x.created_at, x.ticket_id order by x.created_at' || direction
    || ', x.ticket_id' || direction || ' limit $15 offset $16) s';

  perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true);
  if size < walk_below or char_length(f.needle) < 5 then
    return query execute format(run, 'ticket_texts') using tenant, f.needle, asked, f.statuses, f.priorities, f.assignee, f.category,
      f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, reach;
    return;
  end if;

  execute 'select count(*) from (' || texts || ') x'
    || case when wanted = '' then '' else ' join tickets t on t.organization_id = x.organization_id and t.id = x.ticket_id' end
    || ' where true' || hit || wanted
    into hits using tenant, f.needle, asked, f.statuses, f.priorities, f.assignee, f.category,
      f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, glance;
  -- To count 10,000 the walk is longer than for a page; it is taken where the index would have more to hand over.
  if in_order = 'any' and hits > 0 and max_rows::bigint * glance / hits < size::bigint * hits / glance then
    reach := 2 * max_rows * glance / hits;
  end if;
  if hits > 0 and (max_rows + skip_rows) * glance / hits <= reach / 2 then
    execute 'select array_agg(w.ticket_id) from (' || format(run, '(' || texts || ')') || ') w'
      into found_ids using tenant, f.needle, asked, f.statuses, f.priorities, f.assignee, f.category,
      f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, reach;
    if cardinality(found_ids) = max_rows then
      return query select unnest(found_ids);
      return;
    end if;
  end if;

  perform set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true), set_config('enable_hashagg', 'on', true),
    set_config('enable_indexscan', 'off', true);
  return query execute format(run, 'ticket_texts') using tenant, f.needle, asked, f.statuses, f.priorities, f.assignee, f.category,
    f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, reach;
end
$$;
