alter table organizations add languages jsonb not null default '{"default": "en", "offered": ["en"]}';

create table wording (
  organization_id uuid not null,
  language text not null,
  key text not null,
  -- Null if the organization uses the original text again.
  text text,
  -- The sequence of the event that wrote the row; older events are ignored.
  sequence bigint not null,
  primary key (organization_id, language, key)
);
select tenant_isolation('wording');
comment on table wording is 'The texts of emails that organizations have replaced. A copy: identity owns them.';
