-- Combined filters are counted from packed days now, not from the facts. Null for a day that an earlier version has computed.
alter table day_roll_ups add column if not exists packed bytea;
-- Uncompressed. Apart from the row on busy days, whose rows would exceed a page.
alter table day_roll_ups alter packed set storage external;
drop index if exists ticket_facts_filters;
-- Announcing the installation again computes all days. Until then, days that are not packed are counted from the facts. Days that a process
-- of the earlier version computes in the meantime are packed after their next recount.
update installation set installed_at = now(), announced_at = null;
