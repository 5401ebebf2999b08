-- The values of custom fields that are choices (`countedValues`). No ticket had values before this column, so nothing is rebuilt.
alter table ticket_facts add column if not exists custom_fields jsonb not null default '{}';
