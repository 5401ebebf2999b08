-- The words of the title as in `words`. The column is short, so it is read without the cost of fetching `words` of long articles.
alter table article_texts add column title_words tsvector not null default '';
alter table article_texts alter column title_words drop default;

-- 0029 creates them again, with another expression.
drop index article_texts_words;
drop index article_texts_title;
-- See repeatable/ticket_search.sql.
create policy owner_reads_for_search on article_texts for select to current_user using (true);

select system_readable('help_searches');
select system_deletable('help_searches');
