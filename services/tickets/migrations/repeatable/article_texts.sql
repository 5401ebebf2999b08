-- Keeps article_texts up to date, which article_search.sql searches.

-- The stemmer and the stop words of a customer language; `simple` for languages without one.
create or replace function article_stemmer(language text) returns regconfig language sql immutable parallel safe as $$
  select (case language
    when 'en' then 'english' when 'de' then 'german' when 'fr' then 'french' when 'es' then 'spanish' when 'it' then 'italian'
    when 'pt-BR' then 'portuguese' when 'nl' then 'dutch' when 'ar' then 'arabic' else 'simple' end)::regconfig
$$;

-- Chinese and Japanese have no spaces between words: each pair of neighboring characters is a word, and so is a single character. The
-- pairs that begin at an odd place of a run follow the text, in which the others replace the run.
create or replace function split_ideographs(content text) returns text language sql immutable strict parallel safe as $$
  select case when content !~ '[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]' then content else
    regexp_replace(regexp_replace(content, '([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)', ' \1 ', 'g'),
      '([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]{2})', '\1 ', 'g')
    || ' ' || regexp_replace(regexp_replace(regexp_replace(content, '[^\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+', ' ', 'g'),
      '(^| )[^ ]', ' ', 'g'), '([^ ]{2})', '\1 ', 'g') end
$$;

-- The words of a text as they are written and as their stems. A tsvector is limited to 1 MB, so of a very long text only the beginning is
-- indexed. Up to 20,000 characters cannot exceed the limit, which avoids the cost of a savepoint.
create or replace function article_words(content text, language text, weight "char") returns tsvector
language plpgsql immutable strict parallel safe as $$
declare
  stemmer constant regconfig := article_stemmer(language);
  plain constant text := split_ideographs(replace_punctuation(content));
  length_limit integer := char_length(plain);
  words tsvector;
begin
  loop
    if length_limit <= 20000 then
      words := to_tsvector('simple', left(plain, length_limit)) || to_tsvector(stemmer, left(plain, length_limit));
      return setweight(words, weight);
    end if;
    begin
      words := to_tsvector('simple', left(plain, length_limit)) || to_tsvector(stemmer, left(plain, length_limit));
      return setweight(words, weight);
    exception when program_limit_exceeded then
      length_limit := length_limit / 2;
    end;
  end loop;
end
$$;

-- Without the targets of links and pictures. Other signs of Markdown are punctuation, which is not indexed.
create or replace function article_text(markdown text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(regexp_replace(markdown, '\]\([^()\s]*\)', '] ', 'g'), 'https?://[^\s<>()]+', ' ', 'g')
$$;

create or replace function keep_article_text() returns trigger language plpgsql as $$
begin
  if new.published_version is null or new.deleted_at is not null then
    delete from article_texts where organization_id = new.organization_id and article_id = new.id;
    return null;
  end if;
  insert into article_texts (organization_id, article_id, language, is_public, title, title_words, words)
  select v.organization_id, v.article_id, v.language, new.visibility = 'public', fold_case(v.title),
    article_words(v.title, v.language, 'A'),
    article_words(v.title, v.language, 'A') || article_words(coalesce(v.summary, ''), v.language, 'B')
      || article_words(article_text(v.body), v.language, 'C')
  from article_versions v
  where v.organization_id = new.organization_id and v.article_id = new.id and v.number = new.published_version
  on conflict (organization_id, article_id) do update set language = excluded.language, is_public = excluded.is_public,
    title = excluded.title, title_words = excluded.title_words, words = excluded.words;
  return null;
end $$;

create or replace trigger keep_article_text after insert or update of published_version, visibility, deleted_at on articles
  for each row execute function keep_article_text();
