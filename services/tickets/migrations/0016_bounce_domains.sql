create table bounce_domains (
  organization_id uuid not null,
  domain text not null,
  created_at timestamptz(3) not null default now(),
  primary key (organization_id, domain)
);
create index bounce_domains_by_domain on bounce_domains (domain);
select tenant_isolation('bounce_domains');
-- The organization is found by the recipient.
select system_readable('bounce_domains');
comment on table bounce_domains is
  'Sender domains of organizations at which bounces arrive. A replaced domain stays: bounces of earlier emails still arrive there.';
