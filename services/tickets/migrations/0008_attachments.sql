-- A file, from its announcement on. Its bytes lie in the storage under `{organization_id}/{id}`.
create table attachments (
  organization_id uuid not null,
  id uuid not null,
  file_name text not null check (char_length(file_name) between 1 and 200),
  size integer not null check (size between 1 and 20971520),
  -- What the bytes say; null until they are here.
  content_type text,
  -- Who announced it; null for an API token. Only they can use it.
  user_id uuid,
  -- Where it is used; both null: nowhere yet, and it is removed after a day. Only the ticket: it came with the description.
  ticket_id uuid,
  comment_id uuid,
  -- The signed address for the bytes works once: set when they began to arrive, whatever came of it.
  upload_began_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (organization_id, id),
  -- Where a ticket or a comment goes, its files become unused (by the trigger below, as a whole).
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete set null (ticket_id),
  foreign key (organization_id, comment_id) references comments (organization_id, id) on delete set null (comment_id),
  check (comment_id is null or ticket_id is not null),
  check (ticket_id is null or content_type is not null)
);
select tenant_isolation('attachments');
-- The sweep removes what nobody used, in all organizations.
select system_readable('attachments');
create index attachments_of_ticket on attachments (organization_id, ticket_id) where ticket_id is not null;
create index attachments_of_comment on attachments (organization_id, comment_id) where comment_id is not null;
create index attachments_unused on attachments (created_at) where ticket_id is null;
create index attachments_unused_of_person on attachments (organization_id, user_id) where ticket_id is null;

-- A file whose text is gone belongs nowhere: the sweep then removes the bytes, and the row after them. Without this the file of a deleted
-- note would be left as one of the ticket's description.
create function leave_attachment_unused() returns trigger language plpgsql as $$
begin
  new.ticket_id := null;
  new.comment_id := null;
  return new;
end $$;
create trigger leave_attachment_unused before update of ticket_id, comment_id on attachments for each row
  when (old.ticket_id is not null and (new.ticket_id is null or (old.comment_id is not null and new.comment_id is null)))
  execute function leave_attachment_unused();
