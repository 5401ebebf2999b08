-- online
-- The organization as text: no other index has this expression, so every plan of the search uses the text index, whatever the statistics
-- of a new or quickly growing table say. With the column itself, the planner may read all texts of the organization by the primary key.
create index concurrently if not exists article_texts_words on article_texts using gin ((organization_id::text), words);
create index concurrently if not exists article_texts_title on article_texts using gin ((organization_id::text), title gin_trgm_ops);
create index concurrently if not exists article_ratings_day on article_ratings (organization_id, article_id, day);
-- For the sweep that deletes old figures.
create index concurrently if not exists help_searches_expiry on help_searches ((day + 400));
