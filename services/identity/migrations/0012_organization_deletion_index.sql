-- online
-- For the sweep that finds deletions that are due.
create index concurrently if not exists organizations_deletions on organizations (deletion_at) where deletion_at is not null;
