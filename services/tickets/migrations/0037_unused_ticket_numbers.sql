-- Numbers up to last_number that no ticket has: those that an import has skipped, and those of deleted tickets.
alter table ticket_counters add unused_numbers integer not null default 0;
