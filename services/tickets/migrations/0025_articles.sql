create table article_counters (
  organization_id uuid primary key,
  last_number integer not null
);
select tenant_isolation('article_counters');
comment on table article_counters is 'The last number of an article or a category of articles.';

create table article_categories (
  organization_id uuid not null,
  id uuid not null,
  -- Part of its address.
  number integer not null,
  name text not null,
  description text,
  -- From 1, without gaps.
  position integer not null,
  updated_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, number)
);
create unique index article_categories_name on article_categories (organization_id, lower(name));
select tenant_isolation('article_categories');
comment on table article_categories is 'Groups of articles on the help pages.';

create table articles (
  organization_id uuid not null,
  id uuid not null,
  -- Part of its address.
  number integer not null,
  -- The draft: what the next version will contain.
  title text not null,
  summary text,
  body text not null,
  language text not null,
  category_id uuid,
  visibility text not null check (visibility in ('public', 'internal')),
  -- The version that readers see; null: not published.
  published_version integer,
  first_published_at timestamptz(3),
  -- The ticket that it was drafted from.
  ticket_id uuid,
  updated_by uuid,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  -- Increases with each change.
  version integer not null,
  primary key (organization_id, id),
  unique (organization_id, number),
  foreign key (organization_id, category_id) references article_categories (organization_id, id) on delete set null (category_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete set null (ticket_id)
);
create index articles_latest on articles (organization_id, updated_at desc, id desc);
create index articles_of_category on articles (organization_id, category_id);
create index articles_of_ticket on articles (organization_id, ticket_id) where ticket_id is not null;
create index articles_deleted on articles (deleted_at) where deleted_at is not null;
select tenant_isolation('articles');
-- The sweep finds the articles of all organizations that can no longer be restored, and a picture's address names no organization.
select system_readable('articles');
comment on table articles is 'Help articles, with the text of their draft.';

create table article_versions (
  organization_id uuid not null,
  article_id uuid not null,
  number integer not null,
  title text not null,
  summary text,
  body text not null,
  language text not null,
  published_at timestamptz(3) not null,
  published_by uuid,
  primary key (organization_id, article_id, number),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
select tenant_isolation('article_versions');
comment on table article_versions is 'What was published at a time. A row never changes.';

create table article_texts (
  organization_id uuid not null,
  article_id uuid not null,
  language text not null,
  is_public boolean not null,
  -- Folded.
  title text not null,
  -- The words of the title as in `words`. The column is short, so it is read without the cost of fetching `words` of long articles.
  title_words tsvector not null,
  -- Title (weight A), summary (B) and text (C), as they are written and as their stems.
  words tsvector not null,
  primary key (organization_id, article_id),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
-- The organization as text: no other index has this expression, so every plan of the search uses the text index, whatever the statistics
-- of a new or quickly growing table say. With the column itself, the planner may read all texts of the organization by the primary key.
create index article_texts_words on article_texts using gin ((organization_id::text), words);
create index article_texts_title on article_texts using gin ((organization_id::text), title gin_trgm_ops);
select tenant_isolation('article_texts');
-- See repeatable/ticket_search.sql.
create policy owner_reads_for_search on article_texts for select to current_user using (true);
comment on table article_texts is 'The published texts of articles that are not deleted, for the search. Maintained by a trigger.';

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
create policy owner_reads_for_search on article_draft_texts for select to current_user using (true);
comment on table article_draft_texts is 'The drafts of articles for the search of members. Maintained by a trigger.';

create table article_pictures (
  organization_id uuid not null,
  id uuid not null,
  article_id uuid not null,
  file_name text not null check (char_length(file_name) between 1 and 200),
  size integer not null,
  content_type text not null,
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  unique (organization_id, article_id, file_name),
  -- Not `on delete cascade`: the file must be removed from the storage first.
  foreign key (organization_id, article_id) references articles (organization_id, id)
);
create index article_pictures_by_id on article_pictures (id);
select tenant_isolation('article_pictures');
-- A picture's address names no organization.
select system_readable('article_pictures');
comment on table article_pictures is 'Pictures of articles. The bytes are in the file storage under {organization_id}/{id}.';

create table article_uses (
  organization_id uuid not null,
  article_id uuid not null,
  -- In the organization's time zone, but never before an earlier use of the article.
  day date not null,
  views integer not null default 0,
  suggestions_opened integer not null default 0,
  solved integer not null default 0,
  primary key (organization_id, article_id, day),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
-- For the sweep that deletes old figures. An expression, so that no other query uses the index, whatever the statistics say.
create index article_uses_expiry on article_uses ((day + 400));
select tenant_isolation('article_uses');
select system_readable('article_uses');
select system_deletable('article_uses');
comment on table article_uses is 'How often an article has been used until the end of a day. Days without a use have no row.';

create table article_ratings (
  organization_id uuid not null,
  article_id uuid not null,
  -- A random value that the reader's browser keeps.
  reader text not null check (char_length(reader) <= 40),
  helpful boolean not null,
  remark text check (char_length(remark) <= 1000),
  version integer not null,
  rated_at timestamptz(3) not null,
  -- The day of `rated_at` in the organization's time zone at that time, so that a later change of the zone moves no rating.
  day date not null,
  primary key (organization_id, article_id, reader),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
create index article_ratings_day on article_ratings (organization_id, article_id, day);
select tenant_isolation('article_ratings');
comment on table article_ratings is 'Answers of readers to "Did this help?", the latest of each reader.';

create table help_searches (
  organization_id uuid not null,
  -- In the organization's time zone.
  day date not null,
  -- Folded.
  query text not null check (char_length(query) <= 200),
  times integer not null,
  without_result integer not null,
  primary key (organization_id, day, query)
);
create index help_searches_expiry on help_searches ((day + 400));
select tenant_isolation('help_searches');
select system_readable('help_searches');
select system_deletable('help_searches');
comment on table help_searches is 'What readers searched for on a day, at most 1,000 different queries.';

create table help_days (
  organization_id uuid not null,
  -- In the organization's time zone.
  day date not null,
  views integer not null default 0,
  suggestions_opened integer not null default 0,
  solved integer not null default 0,
  helpful integer not null default 0,
  not_helpful integer not null default 0,
  searches integer not null default 0,
  searches_without_result integer not null default 0,
  primary key (organization_id, day)
);
create index help_days_expiry on help_days ((day + 400));
select tenant_isolation('help_days');
select system_readable('help_days');
select system_deletable('help_days');
comment on table help_days is 'How the help pages of an organization were used on a day.';
