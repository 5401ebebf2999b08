-- online
create index concurrently if not exists webhook_events_of_ticket on webhook_events (organization_id, ticket_id) where ticket_id is not null;
