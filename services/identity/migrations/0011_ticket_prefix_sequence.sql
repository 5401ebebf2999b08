-- The sequence of the latest `ticket_prefix.changed` that was applied. A change that is delivered late must not undo a newer one.
alter table organizations add column ticket_prefix_sequence integer not null default 0;
