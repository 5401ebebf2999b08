-- Full-text and partial search of tickets.
--
-- Under row-level security neither LIKE nor @@ can use an index: they are not leakproof, so the policy must be evaluated first, row by
-- row. This function therefore runs as the owner of the tables. It is safe because
--   1. it filters by the same setting as the policy, and fails without that setting;
--   2. it returns IDs only: the caller reads the rows themselves under row-level security;
--   3. it concatenates only the fixed texts below; values are parameters or quoted, and so are the names of columns;
--   4. its search_path is pinned.
-- Row-level security is forced on the owner too, hence the policies `owner_reads_for_search`. They only let the owner read, who could turn
-- row-level security off anyway; the service's role gains nothing.
--
-- Returns the IDs of one page of the tickets that have `needle` (a LIKE pattern, escaped by the caller) in a short field, or all words of
-- `typed` in their description or in one comment. `conditions` are those of all other filters, in the form of ticket-filters.ts: a column,
-- an operator, and a value or values. `in_order` is 'newest' or 'oldest' (first), from the cursor on, or 'any': any max_rows tickets, for
-- counting.
--
-- No single plan is always fast, and the planner cannot choose: under a policy it may not use the columns' statistics. So there are three:
--   narrow   if a filter is selective (a customer, IDs), or the other filters leave few tickets: read these tickets and their texts;
--   walk     read the texts in the order of the list until the page is full: for common words, for small organizations, and for fewer
--            than three characters, which a trigram index does not cover;
--   index    for everything else: rare and missing words are found immediately.
-- Instead of a walk with a filter by periods: the tickets with such a period, if there are not many.
-- A sample of 100 texts shows how common a word is. If it does not occur there, or if the walk that it suggests ends before the page is full,
-- the index is read until it has returned 2,000 texts. A word with more of them is common, only not among the newest tickets, or not together
-- with the filters. The index would return all of its texts, from anywhere in the table; walking through twenty takes as long as one of these.
-- The statements of a search without filters and cursor, newest first, are written out, so that PostgreSQL keeps their plans: planning
-- them each time takes as long as running them. The settings below leave one plan for all organizations.
-- The set_config calls last until the function returns, because it sets the same parameters in its header.
create or replace function find_tickets_by_text(filter jsonb, in_order text, max_rows integer, skip_rows integer) returns table (id uuid)
language plpgsql stable security definer rows 25
set search_path = pg_catalog, public, pg_temp
set client_min_messages = warning
set jit = off
set max_parallel_workers_per_gather = 0
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = on
set enable_bitmapscan = on
set enable_indexscan = on
set enable_hashagg = on
set plan_cache_mode = force_generic_plan
as $$
declare
  walk_below constant integer := 500;
  sample_size constant integer := 100;
  narrow_limit constant integer := 2000;
  -- Looking up the texts of more tickets takes as long as all texts with a common word.
  periods_limit constant integer := 10000;
  tenant constant uuid := current_setting('app.organization_id')::uuid;
  size constant integer := coalesce((select c.last_number from ticket_counters c where c.organization_id = tenant), 0);
  f record;
  search_query tsquery;
  direction constant text := case in_order when 'oldest' then '' else ' desc' end;
  text_condition text;
  condition jsonb;
  part jsonb;
  condition_text text;
  range_condition text := '';
  filter_condition text := '';
  text_filter text := '';
  next_texts text;
  page_start text;
  page_end text;
  is_plain boolean;
  is_narrow boolean;
  narrow_tickets text := 'tickets';
  narrow_filter text;
  narrow_query text;
  period_ids uuid[];
  period_condition text;
  match_count integer := 0;
  walk_length bigint;
  walk_limit bigint := 4000;
  found_ids uuid[];
begin
  select * into f from jsonb_to_record(filter) as r(
    needle text, typed text, conditions jsonb, is_selective boolean, is_indexed boolean, after_created_at timestamptz, after_id uuid);
  search_query := plainto_tsquery('simple', replace_punctuation(f.typed));
  text_condition := case when numnode(search_query) = 0 then ' and x.search_text like lower($2)'
    else ' and (x.search_text like lower($2) or x.words @@ $3)' end;
  for condition in select * from jsonb_array_elements(coalesce(f.conditions, '[]')) loop
    condition_text := ticket_condition(case condition ->> 'column' when 'created_at' then 'x' else 't' end, condition);
    if condition ->> 'column' = 'created_at' then
      range_condition := range_condition || condition_text;
    else
      filter_condition := filter_condition || condition_text;
    end if;
  end loop;
  if f.after_id is not null then
    range_condition := range_condition
      || ' and (x.created_at, x.ticket_id) ' || case in_order when 'oldest' then '>' else '<' end || ' ($4, $5)';
  end if;

  is_narrow := f.is_selective;
  if filter_condition <> '' then
    -- Tickets with few periods, such as those of a day: counting tickets would look up the periods of each of them.
    for condition in select * from jsonb_array_elements(f.conditions) loop
      continue when condition ->> 'column' <> 'open_periods';
      -- A period begins with its ticket or later: the search starts at the tickets that can have one.
      for part in select * from jsonb_array_elements(condition -> 'where') loop
        if part ->> 'is' = 'below' and part ->> 'column' in ('opened_at', 'resolved_at') and part ->> 'value' <> 'infinity' then
          range_condition := range_condition || format(' and x.created_at < %L', part ->> 'value');
        end if;
      end loop;
      continue when is_narrow;
      execute 'select array_agg(r.ticket_id) from (select r.ticket_id from open_periods r where r.organization_id = $1'
        || ticket_conditions('r', condition -> 'where') || ' limit $2) r' into found_ids using tenant, periods_limit + 1;
      continue when cardinality(found_ids) > periods_limit;
      period_ids := coalesce(found_ids, '{}');
      period_condition := ticket_condition('t', condition);
      is_narrow := cardinality(period_ids) <= narrow_limit;
    end loop;
  end if;
  -- Count up to 2,000 tickets to find out whether the other filters leave few.
  if not is_narrow and f.is_indexed then
    perform set_config('enable_bitmapscan', 'off', true);
    execute 'select count(*) from (select from tickets t where t.organization_id = $1' || filter_condition || ' limit $6) t'
      into match_count using tenant, f.needle, search_query, f.after_created_at, f.after_id, narrow_limit + 1, skip_rows, walk_limit;
    perform set_config('enable_bitmapscan', 'on', true);
    is_narrow := match_count <= narrow_limit;
  end if;
  narrow_filter := filter_condition;
  if period_ids is not null then
    narrow_tickets := '(select * from tickets t where t.organization_id = $1 and t.id = any ($9) offset 0)';
    narrow_filter := replace(filter_condition, period_condition, '');
  end if;
  -- `offset 0` keeps the texts out of a join: without their statistics, PostgreSQL would join each ticket with all texts.
  narrow_query := 'select t.id from ' || narrow_tickets || ' t where t.organization_id = $1'
    || replace(replace(range_condition, 'x.ticket_id', 't.id'), 'x.', 't.') || narrow_filter
    || ' and exists (select from ticket_texts x where x.organization_id = $1 and x.created_at = t.created_at and x.ticket_id = t.id'
    || text_condition || ' offset 0) order by t.created_at' || direction || ', t.id' || direction || ' limit $6 offset $7';
  if is_narrow then
    perform set_config('enable_bitmapscan', 'off', true);
    return query execute narrow_query
      using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit, period_ids;
    return;
  end if;

  -- Between the two parts: the texts to search, all or the next few. Grouping returns a ticket with several matching texts once.
  next_texts := 'select * from ticket_texts x where x.organization_id = $1' || range_condition
    || ' order by x.created_at' || direction || ', x.ticket_id' || direction || ' limit $8';
  -- `offset 0`: without an index on the filter's columns, because one ticket is looked up by its ID.
  if filter_condition <> '' then
    text_filter := ' and exists (select from (select * from tickets t where t.organization_id = $1 and t.id = x.ticket_id offset 0) t where true'
      || filter_condition || ')';
  end if;
  page_start := 'select s.ticket_id from (select x.created_at, x.ticket_id from ';
  page_end := ' x where x.organization_id = $1' || range_condition || text_condition || text_filter
    || ' group by x.created_at, x.ticket_id order by x.created_at' || direction || ', x.ticket_id' || direction || ' limit $6 offset $7) s';

  perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true);
  if size < walk_below or char_length(f.needle) < 5 then
    return query execute page_start || 'ticket_texts' || page_end
      using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
    return;
  end if;

  is_plain := range_condition = '' and filter_condition = '' and in_order <> 'oldest';
  if is_plain then
    select count(*) into match_count
      from (select * from ticket_texts t where t.organization_id = tenant order by t.created_at desc, t.ticket_id desc limit sample_size) x
      where x.search_text like lower(f.needle) or x.words @@ search_query;
  else
    execute 'select count(*) from (' || next_texts || ') x where true' || text_condition || text_filter
      into match_count using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, sample_size;
  end if;
  -- Walk if it is expected to be short, or to read at most four times as many texts as the index would return.
  walk_length := (max_rows + skip_rows)::bigint * sample_size / nullif(match_count, 0);
  if walk_length <= greatest(walk_limit / 2, 4 * size::bigint * match_count / sample_size) then
    walk_limit := greatest(walk_limit, 2 * walk_length);
    if is_plain then
      select array_agg(s.ticket_id) into found_ids from (
        select x.created_at, x.ticket_id
          from (select * from ticket_texts t where t.organization_id = tenant order by t.created_at desc, t.ticket_id desc limit walk_limit) x
          where x.search_text like lower(f.needle) or x.words @@ search_query
          group by x.created_at, x.ticket_id order by x.created_at desc, x.ticket_id desc limit max_rows offset skip_rows) s;
    else
      execute 'select array_agg(w.ticket_id) from (' || page_start || '(' || next_texts || ')' || page_end || ') w'
        into found_ids using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
    end if;
    if cardinality(found_ids) = max_rows then
      return query select unnest(found_ids);
      return;
    end if;
  end if;

  perform set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true), set_config('enable_hashagg', 'on', true),
    set_config('enable_indexscan', 'off', true);
  if is_plain then
    select array_agg(distinct x.ticket_id), count(*) into found_ids, match_count
      from (select t.ticket_id from ticket_texts t
        where t.organization_id = tenant and (t.search_text like lower(f.needle) or t.words @@ search_query) limit narrow_limit + 1) x;
  else
    execute 'select array_agg(distinct x.ticket_id), count(*) from (select x.ticket_id from ticket_texts x where x.organization_id = $1'
      || range_condition || text_condition || ' limit $8) x'
      into found_ids, match_count
      using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, narrow_limit + 1;
  end if;
  if match_count = 0 then
    return;
  end if;
  -- To count them, they need not be read.
  if in_order = 'any' and filter_condition = '' and (match_count <= narrow_limit or cardinality(found_ids) >= max_rows) then
    return query select unnest(found_ids) limit max_rows;
    return;
  end if;
  if match_count <= narrow_limit then
    return query execute 'select t.id from tickets t where t.organization_id = $1 and t.id = any ($9)' || filter_condition
      || ' order by t.created_at' || direction || ', t.id' || direction || ' limit $6 offset $7'
      using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit, found_ids;
    return;
  end if;
  perform set_config('enable_bitmapscan', 'off', true), set_config('enable_indexscan', 'on', true);
  if period_ids is not null then
    return query execute narrow_query
      using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit, period_ids;
    return;
  end if;
  perform set_config('enable_sort', 'off', true), set_config('enable_hashagg', 'off', true);
  return query execute page_start || 'ticket_texts' || page_end
    using tenant, f.needle, search_query, f.after_created_at, f.after_id, max_rows, skip_rows, walk_limit;
end
$$;

-- A condition on the columns of `alias`, or on the rows of another table that belong to ticket `t`. Names and values are quoted, and the
-- operators are fixed. An unknown operator makes the condition null, and so the query, which fails.
create or replace function ticket_condition(alias text, condition jsonb) returns text language plpgsql immutable
set search_path = pg_catalog, public, pg_temp
as $$
declare
  zone constant text := '(select o.time_zone from organizations o where o.organization_id = $1)';
  members text := '';
  member jsonb;
begin
  case condition ->> 'is'
    when 'with' then
      return format(' and exists (select from %I r where r.organization_id = $1 and r.ticket_id = t.id%s)', condition ->> 'column',
        ticket_conditions('r', condition -> 'where'));
    when 'all' then
      return format(' and (true%s)', ticket_conditions(alias, condition -> 'of'));
    when 'not' then
      return format(' and (true%s) is not true', ticket_conditions(alias, condition -> 'of'));
    when 'any' then
      for member in select * from jsonb_array_elements(condition -> 'of') loop
        members := members || ' or (true' || ticket_condition(alias, member) || ')';
      end loop;
      return ' and (false' || members || ')';
    else
  end case;
  return format(case condition ->> 'is'
    when 'equal' then ' and %s = %L'
    when 'at_least' then ' and %s >= %L'
    when 'at_most' then ' and %s <= %L'
    when 'below' then ' and %s < %L'
    when 'any_of' then ' and %s = any (%3$L)'
    when 'any_of_or_null' then ' and (%1$s = any (%3$L) or %1$s is null)'
    when 'none_of' then ' and %s <> all (%3$L)'
    when 'not_within' then ' and not %s <@ %3$L'
    when 'overlapping' then ' and %s && %3$L'
    when 'tagged' then ' and exists (select from unnest(%s) g where fold_case(g) = any (%3$L))'
    when 'same_text' then ' and fold_case(%s) = %L'
    when 'contains_text' then ' and strpos(fold_case(%s), %L) > 0'
    when 'starts_with_text' then ' and starts_with(fold_case(%s), %L)'
    when 'ends_with_text' then ' and right(fold_case(%1$s), char_length(%2$L)) = %2$L'
    when 'includes_any_of' then ' and %s && %3$L::text[]'
    when 'includes_all_of' then ' and %s @> %3$L::text[]'
    when 'number_equal' then ' and %s = %L::float8'
    when 'number_at_least' then ' and %s >= %L::float8'
    when 'number_at_most' then ' and %s <= %L::float8'
    when 'date_at_least' then ' and %s >= %L'
    when 'date_at_most' then ' and %s <= %L'
    when 'in_weekday' then ' and extract(isodow from %s at time zone ' || zone || ') = %L'
    when 'in_hour' then ' and extract(hour from %s at time zone ' || zone || ') = %L'
    when 'null' then ' and %s is null'
    when 'not_null' then ' and %s is not null'
    end,
    case condition ->> 'column'
      when 'custom_fields' then format(case split_part(condition ->> 'is', '_', 1)
        when 'includes' then 'field_texts(%I.custom_fields, %L)'
        when 'number' then 'field_number(%I.custom_fields, %L)'
        when 'date' then 'field_date(%I.custom_fields, %L)'
        else '(%I.custom_fields ->> %L)' end, alias, condition ->> 'key')
      when 'customer_domain' then format('split_part(%s.customer_email, ''@'', -1)', alias)
      else format('%s.%I', alias, condition ->> 'column')
    end,
    condition ->> 'value', array(select jsonb_array_elements_text(condition -> 'values'))::text);
end
$$;

create or replace function ticket_conditions(alias text, conditions jsonb) returns text language plpgsql immutable
set search_path = pg_catalog, public, pg_temp
as $$
declare
  found text := '';
  condition jsonb;
begin
  for condition in select * from jsonb_array_elements(conditions) loop
    found := found || ticket_condition(alias, condition);
  end loop;
  return found;
end
$$;
