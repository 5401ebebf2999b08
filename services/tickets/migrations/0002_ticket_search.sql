-- Under row-level security a trigram index is never used: LIKE is not leakproof, so the policy must be evaluated first, row by row.
-- This one function therefore reads tickets as their owner. What keeps it honest:
--   1. it filters by the same setting as the policy, and without that setting it fails;
--   2. it hands out ids only: the caller reads the rows themselves under row-level security;
--   3. only the fixed texts below are put together, values arrive as parameters;
--   4. its search_path is pinned.
-- Row-level security is forced on the owner too, hence the policy: it opens reading to the owner, who could switch row-level security
-- off anyway. The service's own role has no part in it.
create policy owner_reads_for_search on tickets for select to current_user using (true);

-- The ids of one page, newest first, of the tickets whose search_text contains `needle` (a LIKE pattern, escaped by the caller).
-- Null for a filter means: any. `in_order` false: any max_rows of them, for counting.
--
-- No single plan wins, and the planner cannot choose: under a policy it may not use the column's statistics. So:
--   walk     the ordered index until the page is full: for a word that is common, for an organization of a few thousand tickets, and
--            below three characters, of which the trigram index knows nothing;
--   trigram  for everything else: what is rare or missing is found at once.
-- How common a word is, a glance at the newest 100 tickets tells; a walk that disappoints ends after 4,000 and the other plan takes over.
-- The set_config calls last until the function returns, because it sets the same parameters above.
create function find_tickets_by_text(
  needle text, statuses text[], priorities text[], assignee uuid, unassigned boolean,
  before_created_at timestamptz, before_id uuid, max_rows integer, skip_rows integer, in_order boolean
) returns table (id uuid)
language plpgsql stable security definer rows 25
set search_path = pg_catalog, public, pg_temp
set enable_seqscan = off
set enable_sort = on
set enable_bitmapscan = on
as $$
declare
  walk_below constant integer := 2000;
  glance constant integer := 100;
  reach constant integer := 4000;
  tenant constant uuid := current_setting('app.organization_id')::uuid;
  size constant integer := coalesce((select c.last_number from ticket_counters c where c.organization_id = tenant), 0);
  place constant text := case when before_id is null then '' else ' and (t.created_at, t.id) < ($6, $7)' end;
  matches constant text := ' t.search_text like lower($2)'
    || case when statuses is null then '' else ' and t.status = any($3)' end
    || case when priorities is null then '' else ' and t.priority = any($4)' end
    || case when assignee is null then '' else ' and t.assigned_to = $5' end
    || case when unassigned then ' and t.assigned_to is null' else '' end;
  newest constant text := ' order by t.created_at desc, t.id desc';
  everything constant text := 'select t.id from tickets t where t.organization_id = $1' || place || ' and' || matches
    || case when in_order then newest else '' end || ' limit $8 offset $9';
  is_short constant boolean := char_length(needle) < 5;
  hits integer := 0;
  found_ids uuid[];
begin
  if is_short or size < walk_below then
    perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);
    return query execute everything
      using tenant, needle, statuses, priorities, assignee, before_created_at, before_id, max_rows, skip_rows;
    return;
  end if;
  if in_order then
    perform set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true);
    execute 'select count(*) from (select * from tickets t where t.organization_id = $1' || place || newest || ' limit $8) t where' || matches
      into hits using tenant, needle, statuses, priorities, assignee, before_created_at, before_id, glance;
    if hits > 0 and (max_rows + skip_rows) * glance / hits <= reach / 2 then
      execute 'select array_agg(t.id) from (select t.id from (select * from tickets t where t.organization_id = $1' || place || newest
        || ' limit $10) t where' || matches || newest || ' limit $8 offset $9) t'
        into found_ids
        using tenant, needle, statuses, priorities, assignee, before_created_at, before_id, max_rows, skip_rows, reach;
      if cardinality(found_ids) = max_rows then
        return query select unnest(found_ids);
        return;
      end if;
    end if;
    perform set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true);
  end if;
  return query execute everything
    using tenant, needle, statuses, priorities, assignee, before_created_at, before_id, max_rows, skip_rows;
end
$$;
