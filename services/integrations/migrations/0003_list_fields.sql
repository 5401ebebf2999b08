-- The custom fields of the list that can hold values of tickets, when the list was last read.
alter table integrations add list_fields jsonb not null default '[]';
