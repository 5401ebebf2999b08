alter table list_preferences
  alter column density set default 'comfortable',
  add column group_by text check (group_by in ('status', 'priority', 'assignee', 'due')),
  add column columns text[];
comment on column list_preferences.group_by is 'Null: not grouped.';
comment on column list_preferences.columns is 'The columns of a row, in order. Null: the default ones.';
