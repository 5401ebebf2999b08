-- online
-- No query uses it.
drop index concurrently if exists article_ratings_latest;
