-- A verified custom domain is verified again every day. `custom_domain_verified_at` is the claim: it ends when the record has been
-- missing for too long.
alter table branding
  add column custom_domain_checked_at timestamptz(3),
  -- The first check that did not find the record; null while it is there.
  add column custom_domain_missing_since timestamptz(3),
  -- Since when links use the subdomain instead.
  add column custom_domain_lapsed_at timestamptz(3);
-- The sweep reads this one.
create index branding_custom_domain_checks on branding (custom_domain_checked_at nulls first) where custom_domain_verified_at is not null;
