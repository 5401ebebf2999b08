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
  -- Title (weight A), summary (B) and text (C), as they are written and as their stems.
  words tsvector not null,
  primary key (organization_id, article_id),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
create index article_texts_words on article_texts using gin (organization_id, words);
create index article_texts_title on article_texts using gin (organization_id, title gin_trgm_ops);
select tenant_isolation('article_texts');
comment on table article_texts is 'The published texts of articles that are not deleted, for the search. Maintained with the article.';

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
  -- In the organization's time zone.
  day date not null,
  views integer not null default 0,
  suggestions_opened integer not null default 0,
  solved integer not null default 0,
  primary key (organization_id, day, article_id),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
create index article_uses_of_article on article_uses (organization_id, article_id);
select tenant_isolation('article_uses');
comment on table article_uses is 'How often an article was used on a day.';

create table article_ratings (
  organization_id uuid not null,
  article_id uuid not null,
  -- A random value that the reader's browser keeps.
  reader text not null check (char_length(reader) <= 40),
  helpful boolean not null,
  remark text check (char_length(remark) <= 1000),
  version integer not null,
  rated_at timestamptz(3) not null,
  primary key (organization_id, article_id, reader),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
create index article_ratings_latest on article_ratings (organization_id, rated_at desc);
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
select tenant_isolation('help_searches');
comment on table help_searches is 'What readers searched for on a day, at most 1,000 different queries.';
