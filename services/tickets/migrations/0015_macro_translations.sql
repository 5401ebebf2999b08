-- By language; `content` is for all others.
alter table macros add column translations jsonb not null default '{}';
