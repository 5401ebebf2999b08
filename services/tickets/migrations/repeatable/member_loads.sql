create or replace function is_open_status(status text) returns boolean language sql immutable parallel safe as $$
  select status in ('open', 'in_progress', 'waiting_for_customer')
$$;

-- Counts the open tickets of each member. Runs at commit (deferred), so that a member's row is locked only briefly and a change of a
-- hundred tickets does not block a colleague's change. Members are updated in the order of their IDs, so that two users who exchange
-- tickets do not deadlock.
create or replace function count_member_load() returns trigger language plpgsql as $$
declare
  delta record;
  was_open constant boolean := tg_op = 'UPDATE' and is_open_status(old.status);
  is_open constant boolean := is_open_status(new.status);
begin
  for delta in
    select user_id, sum(change)::integer as change, bool_or(is_newly_assigned) as is_newly_assigned
    from (values
      (case when tg_op = 'UPDATE' then old.assigned_to end, case when was_open then -1 else 0 end, false),
      (new.assigned_to, case when is_open then 1 else 0 end, tg_op = 'INSERT' or old.assigned_to is distinct from new.assigned_to)
    ) as steps (user_id, change, is_newly_assigned)
    where user_id is not null group by user_id order by user_id
  loop
    update member_loads set
      -- Never negative: a wrong count must not prevent changes of tickets.
      open_tickets = greatest(0, open_tickets + delta.change),
      last_assigned_at = case when delta.is_newly_assigned then clock_timestamp() else last_assigned_at end
    where organization_id = new.organization_id and user_id = delta.user_id;
    if not found then
      insert into member_loads as l (organization_id, user_id, open_tickets, last_assigned_at)
      values (new.organization_id, delta.user_id, greatest(0, delta.change), case when delta.is_newly_assigned then clock_timestamp() end)
      on conflict (organization_id, user_id) do update set
        open_tickets = l.open_tickets + excluded.open_tickets, last_assigned_at = coalesce(excluded.last_assigned_at, l.last_assigned_at);
    end if;
  end loop;
  return null;
end $$;

-- `create or replace` does not support constraint triggers.
drop trigger if exists count_member_load_on_insert on tickets;
create constraint trigger count_member_load_on_insert after insert on tickets deferrable initially deferred for each row
  when (new.assigned_to is not null) execute function count_member_load();
drop trigger if exists count_member_load_on_update on tickets;
create constraint trigger count_member_load_on_update after update of status, assigned_to on tickets deferrable initially deferred for each row
  when (old.assigned_to is distinct from new.assigned_to or (new.assigned_to is not null and is_open_status(old.status) <> is_open_status(new.status)))
  execute function count_member_load();
