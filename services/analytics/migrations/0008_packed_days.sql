-- Combined filters are counted from packed days now, not from the facts.
alter table day_roll_ups add column if not exists packed bytea;
-- Uncompressed, and apart from the row: most requests do not read it.
alter table day_roll_ups alter packed set storage external;
drop index if exists ticket_facts_filters;
-- Announcing the installation again computes all days. Until then, days that are not packed are counted from the facts.
update installation set installed_at = now(), announced_at = null;
