-- Search of the published articles of an organization.
--
-- Runs as the owner of the tables, because text operators use no index under row-level security. It is safe for the reasons that the
-- header of ticket_search.sql lists: it filters by the organization of the transaction, and returns IDs only.

-- Whether a word says nothing in one of the languages: a stop word, or in the subject of a ticket a word that fits every ticket.
create or replace function is_noise(word text, languages text[], in_subject boolean) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return exists (select from unnest(languages) as l where numnode(plainto_tsquery(article_stemmer(l), word)) = 0)
    or in_subject and (char_length(word) = 1 and word ~ '[[:alnum:]]' or fold_marks(word) = any ('{
      hello,hi,hey,dear,please,pls,thanks,thank,help,need,needs,want,wants,wanted,question,questions,problem,problems,issue,issues,urgent,
      asap,support,ticket,request,get,got,getting,us,im,ive,ll,ve,re,cant,cannot,dont,doesn,doesnt,wont,isnt,didn,didnt,anymore,still,try,
      tried,trying,work,works,working,make,happened,something,anything,someone,would,could,like,know,tell,way,use,using,possible,one,also,
      really,back,
      hallo,bitte,danke,hilfe,frage,fragen,dringend,brauche,mochte,geht,funktioniert,kein,warum,kann,mehr,
      bonjour,salut,merci,aide,besoin,probleme,urgence,voudrais,veux,comment,pourquoi,peux,fonctionne,marche,plus,svp,
      hola,gracias,ayuda,necesito,problema,ciao,grazie,aiuto,ola,obrigado,ajuda,hoi,bedankt,probleem,vraag}'::text[]));
end
$$;

-- The query of one word: as written or as a stem in one of the languages, or as the beginning of a word, each also without accents.
create or replace function article_word_query(word text, languages text[], is_prefix boolean) returns tsquery
language plpgsql immutable parallel safe as $$
declare
  found tsquery;
  form text;
  written tsquery;
  stem tsquery;
  language text;
begin
  foreach form in array case when fold_marks(word) = word then array[word] else array[word, fold_marks(word)] end loop
    written := plainto_tsquery('simple', form);
    if is_prefix and numnode(written) > 0 then
      written := (written::text || ':*')::tsquery;
    end if;
    found := case when found is null then written else found || written end;
    foreach language in array languages loop
      stem := plainto_tsquery(article_stemmer(language), form);
      if numnode(stem) > 0 then
        found := found || stem;
      end if;
    end loop;
  end loop;
  return found;
end
$$;

-- Returns the IDs of up to `max_rows` articles, the best first. `purpose` is one of
--   search       all words, the last one as the beginning of a word. Articles in `asked` come first, then those with the words in their
--                title. If no article has all words: those with any of them. If there is none: similar titles, for typing errors;
--   suggestions  `typed` is the subject of a ticket. An article must have half of the words that say something, one of them in its title,
--                or all of several words. A word in few titles suffices.
create or replace function find_articles(typed text, asked text, purpose text, only_public boolean, max_rows integer)
returns table (article_id uuid)
language plpgsql stable security definer rows 10
set search_path = pg_catalog, public, pg_temp
set client_min_messages = warning
set jit = off
set max_parallel_workers_per_gather = 0
set enable_seqscan = off
as $$
declare
  max_words constant integer := 12;
  max_subject_words constant integer := 6;
  -- Ranking reads the complete text of an article.
  max_ranked constant integer := 60;
  tenant constant text := current_setting('app.organization_id')::uuid::text;
  is_subject constant boolean := purpose = 'suggestions';
  size integer;
  languages text[];
  words text[];
  queries tsquery[];
  all_words tsquery;
  found_ids uuid[];
begin
  select count(*), array_agg(distinct x.language) into size, languages
  from article_texts x where x.organization_id = tenant::uuid;
  if size = 0 then
    return;
  end if;
  languages := array(select distinct l from unnest(languages || asked) as l where l is not null);
  select array_agg(w.word order by w.place) into words from (
    select s.word, min(s.place) as place
    from regexp_split_to_table(split_ideographs(replace_punctuation(fold_case(typed))), '\s+') with ordinality as s(word, place)
    where numnode(plainto_tsquery('simple', s.word)) > 0 group by s.word) w;
  if words is null then
    return;
  end if;
  -- The last word may be unfinished, so that it is no stop word yet.
  words := (select coalesce(
      array_agg(w.word order by w.place) filter (where not is_noise(w.word, languages, is_subject)
        or not is_subject and w.place = cardinality(words)),
      case when is_subject then '{}' else words end)
    from unnest(words) with ordinality as w(word, place));
  if is_subject then
    -- A long word says more than a short one.
    words := array(select w.word from (select * from unnest(words) with ordinality as w(word, place)
      order by char_length(w.word) desc, w.place limit max_subject_words) w order by w.place);
  end if;
  words := words[1:max_words];
  if cardinality(words) = 0 then
    return;
  end if;
  queries := array(select article_word_query(w.word, languages, w.place = cardinality(words) and (not is_subject or char_length(w.word) > 3))
    from unnest(words) with ordinality as w(word, place) order by w.place);

  if not is_subject then
    select case when count(*) = 1 then min(q::text)::tsquery else string_agg('(' || q::text || ')', '&')::tsquery end
      into all_words from unnest(queries) as q;
    found_ids := array(
      select r.article_id from (
        select x.article_id, x.language, x.words, x.title_words @@ all_words as in_title, t.matches
        from article_texts x cross join lateral (select count(*) as matches from unnest(queries) as q where x.title_words @@ q) t
        where x.organization_id::text = tenant and x.words @@ all_words and (x.is_public or not only_public)
        order by x.language = asked desc nulls last, t.matches desc, x.article_id limit max_ranked) r
      order by r.language = asked desc nulls last, r.in_title desc, r.matches desc, ts_rank(r.words, all_words, 1) desc, r.article_id
      limit max_rows);
    if cardinality(found_ids) > 0 then
      return query select unnest(found_ids);
      return;
    end if;
  end if;

  -- A word counts more the fewer articles have it, and more in a title, above all in a short one.
  found_ids := array(
    with hits as materialized (
      select q.place, x.article_id, x.in_title, x.language, x.title_length
      from unnest(queries) with ordinality as q(query, place)
        cross join lateral (select x.article_id, x.title_words @@ q.query as in_title, x.language, length(x.title_words) as title_length
          from article_texts x
          where x.organization_id::text = tenant and x.words @@ q.query and (x.is_public or not only_public) offset 0) x),
    weights as (
      select h.place, ln(1 + size::float8 / count(*)) as weight, count(*) filter (where h.in_title) as titles from hits h group by h.place),
    scores as (
      select h.article_id, h.language, count(*) as matches, count(*) filter (where h.in_title) as in_title, min(h.title_length) as title_length,
        sum(w.weight * case when h.in_title then 1 + 12.0 / (3 + h.title_length) else 1 end) as score,
        bool_or(h.in_title and w.titles <= greatest(1, size / 50) and words[h.place] ~ '.{4}|[\u30a0-\u30ff\u3400-\u9fff]{2}') as has_rare
      from hits h join weights w using (place) group by h.article_id, h.language)
    select s.article_id from scores s
    where not is_subject or s.has_rare or s.in_title > 0 and 2 * s.matches >= cardinality(words)
      or s.matches >= 3 and s.matches = cardinality(words)
    order by s.language = asked desc nulls last, s.score desc, s.title_length, s.article_id limit max_rows);
  if cardinality(found_ids) > 0 or is_subject then
    return query select unnest(found_ids);
    return;
  end if;

  -- Not in the header: a session that has not loaded pg_trgm yet refuses it there. Lasts until the transaction ends.
  perform set_config('pg_trgm.word_similarity_threshold', '0.4', true);
  return query
    select x.article_id
    from (select fold_marks(w.word) as word from unnest(words) as w(word)
        where char_length(w.word) > 3 order by char_length(w.word) desc limit 4) w
      cross join lateral (select x.article_id, x.language, word_similarity(w.word, x.title) as similarity from article_texts x
        where x.organization_id::text = tenant and x.title %> w.word and (x.is_public or not only_public) offset 0) x
    group by x.article_id, x.language
    order by x.language = asked desc nulls last, sum(x.similarity) desc, x.article_id limit max_rows;
end
$$;
