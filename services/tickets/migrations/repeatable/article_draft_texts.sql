-- The search of members: all articles by their drafts. Readers search article_texts.
create or replace function keep_article_draft_text() returns trigger language plpgsql as $$
begin
  insert into article_draft_texts (organization_id, article_id, title, words)
  values (new.organization_id, new.id, fold_case(new.title), fold_case(concat_ws(chr(10), new.title, new.summary, new.body)))
  on conflict (organization_id, article_id) do update set title = excluded.title, words = excluded.words;
  return null;
end $$;

create or replace trigger keep_article_draft_text after insert or update of title, summary, body on articles
  for each row execute function keep_article_draft_text();

-- Finds articles of the current organization. Runs as the owner of the tables for the reasons that ticket_search.sql gives, and returns IDs
-- only; the caller reads the articles under row-level security.
--
-- Returns at most `max_rows` articles that match the filter and contain all `patterns` (folded, for LIKE). `rank` is 2 for those whose title
-- contains all of them, which come first, and 1 for the others, the latest first. The patterns are written into the statement, so that the
-- planner can tell a rare word from a common one.
create or replace function find_articles_by_draft(
  patterns text[], wanted_state text, wanted_visibility text, wanted_category uuid, without_category boolean, is_deleted boolean,
  max_rows integer
) returns table (id uuid, rank integer)
language plpgsql stable security definer rows 100
set search_path = pg_catalog, public, pg_temp
set jit = off
set max_parallel_workers_per_gather = 0
as $$
declare
  tenant constant uuid := current_setting('app.organization_id')::uuid;
  in_title constant text := (select string_agg(format('t.title like %L', p), ' and ') from unnest(patterns) p);
  in_words constant text := (select string_agg(format('t.words like %L', p), ' and ') from unnest(patterns) p);
  wanted constant text := $sql$
    from article_draft_texts t join articles a on a.organization_id = t.organization_id and a.id = t.article_id
    where t.organization_id = $1 and a.organization_id = $1 and (a.deleted_at is not null) = $6
      and ($2 is null or (a.published_version is not null) = ($2 = 'published'))
      and ($3 is null or a.visibility = $3)
      and ($4 is null or a.category_id = $4)
      and (not $5 or a.category_id is null)$sql$;
begin
  return query execute format($sql$
    (select a.id, 2 %1$s and %2$s order by a.updated_at desc, a.id desc limit $7)
    union all
    (select a.id, 1 %1$s and %3$s and not (%2$s) order by a.updated_at desc, a.id desc limit $7)
    limit $7$sql$, wanted, in_title, in_words)
  using tenant, wanted_state, wanted_visibility, wanted_category, without_category, is_deleted, max_rows;
end $$;
