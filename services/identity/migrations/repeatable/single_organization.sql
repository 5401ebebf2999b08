-- The number of organizations except live demos, for the transaction that creates one: row-level security shows it no other organization.
create or replace function count_organizations() returns bigint language plpgsql as $$
declare
  before text := coalesce(current_setting('app.system', true), '');
  organizations_count bigint;
begin
  perform set_config('app.system', 'on', true);
  select count(*) into organizations_count from organizations where demo_ends_at is null;
  perform set_config('app.system', before, true);
  return organizations_count;
end $$;
