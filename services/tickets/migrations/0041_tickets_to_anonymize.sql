-- online
-- Every night reads the oldest tickets that are not anonymized yet. Without it, each night would read all that are.
create index concurrently if not exists tickets_to_anonymize on tickets (organization_id, status, updated_at)
  where anonymized_at is null and status in ('closed', 'resolved');
