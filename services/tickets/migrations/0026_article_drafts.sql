alter table organizations
  -- Of new articles. `en` until the organization's next event.
  add default_language text not null default 'en';

create table article_draft_texts (
  organization_id uuid not null,
  article_id uuid not null,
  -- Both folded; `words` are those of the title, the summary and the text.
  title text not null,
  words text not null,
  primary key (organization_id, article_id),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
create index article_draft_texts_words on article_draft_texts using gin (organization_id, words gin_trgm_ops);
select tenant_isolation('article_draft_texts');
-- See repeatable/ticket_search.sql.
create policy owner_reads_for_search on article_draft_texts for select to current_user using (true);
comment on table article_draft_texts is 'The drafts of articles for the search of members. Maintained by a trigger.';
