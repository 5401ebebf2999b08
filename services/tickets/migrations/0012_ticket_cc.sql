-- Addresses that get a copy of each reply by email.
alter table tickets add cc text[] not null default '{}';
