-- online
create index concurrently if not exists emails_digests on emails (organization_id) where kind = 'staff_digest';
