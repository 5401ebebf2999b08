alter table ticket_copies add custom_fields jsonb not null default '{}';
