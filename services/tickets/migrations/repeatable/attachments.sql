-- Detaches a file completely when its ticket or comment is deleted, so that the sweep deletes the bytes and then the row. Otherwise the
-- file of a deleted comment would become a file of the ticket's description. Undoing a merge moves files of a description back to another
-- ticket: that is no deletion.
create or replace function detach_attachment() returns trigger language plpgsql as $$
begin
  new.ticket_id := null;
  new.comment_id := null;
  return new;
end $$;

create or replace trigger detach_attachment before update of ticket_id, comment_id on attachments for each row
  when (old.ticket_id is not null and (new.ticket_id is null or (old.comment_id is not null and new.comment_id is null and new.ticket_id = old.ticket_id)))
  execute function detach_attachment();
