-- Header and footer of emails by language; a language that is missing has the general ones.
alter table branding add email_templates jsonb not null default '{}';
