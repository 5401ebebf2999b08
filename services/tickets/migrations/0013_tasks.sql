-- The task that a ticket rides with ({provider, task_id, url}), whichever tool holds it; `clickup_task_id` beside it only where that is ClickUp.
alter table tickets add column task jsonb;
-- Since when it is finished and the customer not told.
alter table tickets add column task_finished_at timestamptz(3);
-- Of the event that linked or unlinked it last: an older one comes too late.
alter table tickets add column task_sequence bigint not null default 0;

-- Each ticket is in one of the first two; the third is small. With the status before the age, as the branches of the list are (0005).
create index tickets_linked on tickets (organization_id, status, created_at desc, id desc) where task is not null;
create index tickets_unlinked on tickets (organization_id, status, created_at desc, id desc) where task is null;
create index tickets_finished_task on tickets (organization_id, status, created_at desc, id desc) where task_finished_at is not null;

-- Who wrote it in the task tool: {name, tool_name}.
alter table comments add column tool_author jsonb;

-- Comments of tasks that are here: the same one may be announced twice under different event ids. `ticket_id` is the ticket that it was
-- announced for; a merge may have moved the note since.
create table task_comments (
  organization_id uuid not null,
  ticket_id uuid not null,
  external_id text not null,
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade,
  primary key (organization_id, ticket_id, external_id)
);
select tenant_isolation('task_comments');

-- Connections to task tools that want to be told all tickets there are, and how far that has come.
create table ticket_tellings (
  organization_id uuid not null,
  connection_id uuid not null,
  last_id uuid,
  told integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, connection_id)
);
select tenant_isolation('ticket_tellings');
-- What a killed process left is looked for.
select system_readable('ticket_tellings');

-- As in 0010, where its plans are explained, and with `task`: linked, unlinked, finished.
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
    customer_email text, ids uuid[], task text, created_from timestamptz, created_to timestamptz, after_created_at timestamptz, after_id uuid);
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
    || case when f.ids is null then '' else ' and t.id = any($10)' end
    || case f.task when 'linked' then ' and t.task is not null' when 'unlinked' then ' and t.task is null'
            when 'finished' then ' and t.task_finished_at is not null' else '' end;

  is_narrow := f.ids is not null or f.customer_email is not null;
  -- Whether another filter leaves only a few, counting them tells, no further than 2,000.
  if not is_narrow and (f.assignee is not null or f.is_unassigned or f.category is not null or f.statuses is not null or f.task is not null) then
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
