-- The number of live demos of all visitors, for the transaction that creates another one: row-level security shows it no other organization.
create or replace function count_live_demos() returns bigint language plpgsql as $$
declare
  before text := coalesce(current_setting('app.system', true), '');
  demos bigint;
begin
  perform set_config('app.system', 'on', true);
  select count(*) into demos from organizations where demo_ends_at is not null;
  perform set_config('app.system', before, true);
  return demos;
end $$;
