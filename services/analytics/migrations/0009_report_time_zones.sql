-- Where 08:00 is; null: in the organization's time zone.
alter table reports add column if not exists time_zone text;
