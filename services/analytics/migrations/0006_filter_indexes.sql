-- Combined filters have no roll-ups: they read the facts of the tickets that match. PostgreSQL 18 also uses this index if the first columns
-- have no condition (skip scan).
create index ticket_facts_filters on ticket_facts (organization_id, priority, channel, category, assigned_to, created_day);
-- What happened on many days is read from the index alone.
drop index ticket_moments_day;
create index ticket_moments_day on ticket_moments (organization_id, day) include (ticket_id, kind);
