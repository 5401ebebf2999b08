-- A roll-up is inserted, never updated, so its revision identifies its content: a process parses it once. In the index, so that the
-- revisions of a range are read without the rows.
alter table day_roll_ups add revision uuid not null default gen_random_uuid();
alter table day_roll_ups drop constraint day_roll_ups_pkey;
alter table day_roll_ups add primary key (organization_id, dimension, key, day) include (backlog_growth, revision);
