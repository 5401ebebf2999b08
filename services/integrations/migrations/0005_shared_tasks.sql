-- Several tickets may share a task. One of their links is the primary: it reads the task, and its ticket syncs every field.
drop index links_of_task;
alter table links
  add column is_primary boolean not null default true,
  -- The tickets that Tandem's lines in the task's description list, as written last; empty: the task has always had one ticket.
  add column listed_tickets text not null default '';
create unique index links_primary on links (organization_id, connection_id, task_id)
  where is_primary and task_id is not null and state not in ('parted', 'gone');
create index links_of_task on links (organization_id, connection_id, task_id) where task_id is not null and state <> 'parted';
create index links_sharing on links (organization_id, connection_id, task_id) where not is_primary and state <> 'parted';
