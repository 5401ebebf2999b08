-- `default`, and `offered`, which contains it: codes of libs/contracts/src/values/languages.ts.
alter table organizations add languages jsonb not null default '{"default": "en", "offered": ["en"]}';
