create table wording (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- Part, language and key of a text in libs/languages/catalogs.
  part text not null,
  language text not null,
  key text not null,
  text text not null,
  -- The hash of the original text when this one was saved: a different hash means that the original has changed since.
  original_hash text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (organization_id, part, language, key)
);
select tenant_isolation('wording');
comment on table wording is 'The texts for customers that organizations have replaced with their own.';
