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

-- Text without accents and other marks, for readers who type without them: `remboursé` becomes `rembourse`, `Straße` `Strasse`. Composed
-- again afterwards, so that Korean and Japanese syllables stay whole.
create or replace function fold_marks(value text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(value) = char_length(value) then value else
    normalize(regexp_replace(normalize(replace(replace(translate(value, 'øØłŁđĐı', 'oOlLdDi'), 'ß', 'ss'), 'æ', 'ae'), nfkd),
      '[\u0300-\u036f]', '', 'g'), nfc) end
$$;

-- The words of a text that have accents or other marks, without them.
create or replace function folded_words(content text) returns text language sql immutable strict parallel safe as $$
  select case when octet_length(content) = char_length(content) then '' else
    (select coalesce(string_agg(fold_marks(w), ' '), '') from regexp_split_to_table(content, '\s+') as w where w <> fold_marks(w)) end
$$;

-- The words of a text as they are written and as their stems, and both of their forms without accents.
create or replace function word_forms(content text, stemmer regconfig) returns tsvector language sql immutable strict parallel safe as $$
  select to_tsvector('simple', content) || to_tsvector(stemmer, content) || to_tsvector('simple', folded) || to_tsvector(stemmer, folded)
  from folded_words(content) as folded
$$;

-- The forms of all words. A tsvector is limited to 1 MB, so of a very long text only the beginning is indexed.
-- Up to 20,000 characters cannot exceed the limit, which avoids the cost of a savepoint.
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
      return setweight(word_forms(left(plain, length_limit), stemmer), weight);
    end if;
    begin
      words := word_forms(left(plain, length_limit), stemmer);
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
  select v.organization_id, v.article_id, v.language, new.visibility = 'public', fold_marks(fold_case(v.title)),
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
