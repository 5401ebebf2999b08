-- The categories that customers choose from: `name`, and `translations` by the codes of libs/contracts/src/values/languages.ts.
alter table organizations add categories jsonb not null default '[]';
