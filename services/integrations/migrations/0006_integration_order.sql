-- The order in which integrations are asked to take a new ticket; null comes last, in the order of creation.
alter table integrations add column position integer;
