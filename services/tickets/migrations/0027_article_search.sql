-- The words of the title as in `words`. The column is short, so it is read without the cost of fetching `words` of long articles.
alter table article_texts add column title_words tsvector not null default '';
alter table article_texts alter column title_words drop default;

-- The organization as text: no other index has this expression, so every plan of the search uses the text index, whatever the statistics
-- of a new or quickly growing table say. With the column itself, the planner may read all texts of the organization by the primary key.
drop index article_texts_words;
drop index article_texts_title;
create index article_texts_words on article_texts using gin ((organization_id::text), words);
create index article_texts_title on article_texts using gin ((organization_id::text), title gin_trgm_ops);
-- See repeatable/ticket_search.sql.
create policy owner_reads_for_search on article_texts for select to current_user using (true);

-- For the sweep that deletes old figures.
create index article_uses_day on article_uses (day);
create index help_searches_day on help_searches (day);
select system_readable('article_uses');
select system_deletable('article_uses');
select system_readable('help_searches');
select system_deletable('help_searches');
