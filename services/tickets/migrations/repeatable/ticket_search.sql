-- Full-text and partial search of tickets.
--
-- Under row-level security neither LIKE nor @@ can use an index: they are not leakproof, so the policy must be evaluated first, row by
-- row. This function therefore runs as the owner of the tables. It is safe because
--   1. it filters by the same setting as the policy, and fails without that setting;
--   2. it returns IDs only: the caller reads the rows themselves under row-level security;
--   3. it concatenates only the fixed texts below, and values are parameters;
--   4. its search_path is pinned.
-- Row-level security is forced on the owner too, hence the policies `owner_reads_for_search`. They only let the owner read, who could turn
-- row-level security off anyway; the service's role gains nothing.
--
-- Returns the IDs of one page of the tickets that have `needle` (a LIKE pattern, escaped by the caller) in a short field, or all words of
-- `typed` in their description or in one comment. A key that `filter` lacks does not restrict the result. `in_order` is 'newest' or
-- 'oldest' (first), from the cursor on, or 'any': any max_rows tickets, for counting.
--
-- No single plan is always fast, and the planner cannot choose: under a policy it may not use the columns' statistics. So there are three:
--   narrow   if a customer or IDs are given, or the other filters leave few tickets: read these tickets and their texts;
--   walk     read the texts in the order of the list until the page is full: for common words, for small organizations, and for fewer
--            than three characters, which a trigram index does not cover;
--   index    for everything else: rare and missing words are found immediately.
-- A sample of 100 texts shows how common a word is. A walk that has not filled the page after 4,000 texts falls back to the index.
-- The set_config calls last until the function returns, because it sets the same parameters in its header.
create or replace function find_tickets_by_text(filter jsonb, in_order text, max_rows integer, skip_rows integer) returns table (id uuid)
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
  sample_size constant integer := 100;
  narrow_limit constant integer := 2000;
  tenant constant uuid := current_setting('app.organization_id')::uuid;
  size constant integer := coalesce((select c.last_number from ticket_counters c where c.organization_id = tenant), 0);
  f record;
  search_query tsquery;
  direction constant text := case in_order when 'oldest' then '' else ' desc' end;
  text_condition text;
  range_condition text;
  filter_condition text;
  next_texts text;
  page_query text;
  is_narrow boolean;
  match_count integer := 0;
  walk_limit integer := 4000;
  found_ids uuid[];
begin
  select * into f from jsonb_to_record(filter) as r(
    needle text, typed text, statuses text[], priorities text[], assignee uuid, is_unassigned boolean, category text, tags text[],
    customer_email text, ids uuid[], task text, created_from timestamptz, created_to timestamptz,
    after_created_at timestamptz, after_id uuid);
  search_query := plainto_tsquery('simple', replace_punctuation(f.typed));
  text_condition := case when numnode(search_query) = 0 then ' and x.search_text like lower($2)'
    else ' and (x.search_text like lower($2) or x.words @@ $3)' end;
  range_condition := case when f.created_from is null then '' else ' and x.created_at >= $11' end
    || case when f.created_to is null then '' else ' and x.created_at < $12' end
    || case when f.after_id is null then ''
            else ' and (x.created_at, x.ticket_id) ' || case in_order when 'oldest' then '>' else '<' end || ' ($13, $14)' end;
  filter_condition := case when f.statuses is null then '' else ' and t.status = any($4)' end
    || case when f.priorities is null then '' else ' and t.priority = any($5)' end
    || case when f.assignee is null then '' else ' and t.assigned_to = $6' end
    || case when f.is_unassigned then ' and t.assigned_to is null' else '' end
    || case when f.category is null then '' else ' and t.category = $7' end
    || case when f.tags is null then '' else ' and t.tags && $8' end
    || case when f.customer_email is null then '' else ' and t.customer_email = $9' end
    || case when f.ids is null then '' else ' and t.id = any($10)' end
    || case f.task when 'linked' then ' and t.task is not null' when 'unlinked' then ' and t.task is null'
            when 'finished' then ' and t.task_finished_at is not null' else '' end;

  is_narrow := f.ids is not null or f.customer_email is not null;
  -- Count up to 2,000 tickets to find out whether the other filters leave few.
  if not is_narrow
    and (f.assignee is not null or f.is_unassigned or f.category is not null or f.statuses is not null or f.task is not null)
  then
    perform set_config('enable_bitmapscan', 'off', true);
    execute 'select count(*) from (select from tickets t where t.organization_id = $1' || filter_condition || ' limit $15) t'
      into match_count using tenant, f.needle, search_query, f.statuses, f.priorities, f.assignee, f.category, f.tags,
      f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, narrow_limit + 1, skip_rows, walk_limit;
    perform set_config('enable_bitmapscan', 'on', true);
    is_narrow := match_count <= narrow_limit;
  end if;
  if is_narrow then
    perform set_config('enable_bitmapscan', 'off', true);
    page_query := 'select t.id from tickets t where t.organization_id = $1'
      || replace(replace(range_condition, 'x.ticket_id', 't.id'), 'x.', 't.') || filter_condition
      || ' and exists (select from ticket_texts x where x.organization_id = $1 and x.created_at = t.created_at and x.ticket_id = t.id'
      || text_condition || ') order by t.created_at' || direction || ', t.id' || direction || ' limit $15 offset $16';
    return query execute page_query using tenant, f.needle, search_query, f.statuses, f.priorities, f.assignee, f.category, f.tags,
      f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
    return;
  end if;

  -- %s: the texts to search, all or the next few. Grouping returns a ticket with several matching texts once.
  next_texts := 'select * from ticket_texts x where x.organization_id = $1' || range_condition
    || ' order by x.created_at' || direction || ', x.ticket_id' || direction || ' limit $17';
  page_query := 'select s.ticket_id from (select x.created_at, x.ticket_id from %s x'
    || case when filter_condition = '' then '' else ' join tickets t on t.organization_id = x.organization_id and t.id = x.ticket_id' end
    || ' where x.organization_id = $1' || range_condition || text_condition || filter_condition
    || ' group by x.created_at, x.ticket_id order by x.created_at' || direction || ', x.ticket_id' || direction || ' limit $15 offset $16) s';

  perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true);
  if size < walk_below or char_length(f.needle) < 5 then
    return query execute format(page_query, 'ticket_texts') using tenant, f.needle, search_query, f.statuses, f.priorities, f.assignee, f.category,
      f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
    return;
  end if;

  execute 'select count(*) from (' || next_texts || ') x'
    || case when filter_condition = '' then '' else ' join tickets t on t.organization_id = x.organization_id and t.id = x.ticket_id' end
    || ' where true' || text_condition || filter_condition
    into match_count using tenant, f.needle, search_query, f.statuses, f.priorities, f.assignee, f.category,
      f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, sample_size;
  -- Counting 10,000 takes a longer walk than a page. Walk if the index would return more rows than that.
  if in_order = 'any' and match_count > 0 and max_rows::bigint * sample_size / match_count < size::bigint * match_count / sample_size then
    walk_limit := 2 * max_rows * sample_size / match_count;
  end if;
  if match_count > 0 and (max_rows + skip_rows) * sample_size / match_count <= walk_limit / 2 then
    execute 'select array_agg(w.ticket_id) from (' || format(page_query, '(' || next_texts || ')') || ') w'
      into found_ids using tenant, f.needle, search_query, f.statuses, f.priorities, f.assignee, f.category,
      f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
    if cardinality(found_ids) = max_rows then
      return query select unnest(found_ids);
      return;
    end if;
  end if;

  perform set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true), set_config('enable_hashagg', 'on', true),
    set_config('enable_indexscan', 'off', true);
  return query execute format(page_query, 'ticket_texts') using tenant, f.needle, search_query, f.statuses, f.priorities, f.assignee, f.category,
    f.tags, f.customer_email, f.ids, f.created_from, f.created_to, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
end
$$;
