-- The deletion of a ticket looks for tickets that were merged into it.
create index tickets_merged on tickets (organization_id, merged_into_id) where merged_into_id is not null;
