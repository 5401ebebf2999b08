-- online
create index concurrently if not exists sync_log_of_ticket on sync_log (organization_id, ticket_id) where ticket_id is not null;
