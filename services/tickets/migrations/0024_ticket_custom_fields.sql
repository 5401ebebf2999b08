alter table tickets add custom_fields jsonb not null default '{}';
