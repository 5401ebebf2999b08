-- What was deleted with the tickets of one event, by kind, for the receipt of an erasure. On one row per event.
alter table ticket_deletions add column erased jsonb;
