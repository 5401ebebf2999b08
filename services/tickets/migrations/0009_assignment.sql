-- How much open work each member has, kept by a trigger: assigning by load must not count tickets.
create table member_loads (
  organization_id uuid not null,
  user_id uuid not null,
  open_tickets integer not null default 0 check (open_tickets >= 0),
  -- The turn among equals.
  last_assigned_at timestamptz,
  primary key (organization_id, user_id)
);
select tenant_isolation('member_loads');

-- Members whose open tickets are being taken back; the row goes when the last one has been.
create table releases (
  organization_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
select tenant_isolation('releases');
-- The sweep looks across organizations.
select system_readable('releases');

-- At the commit (deferred), so that a member's row is locked for as short as can be: whoever changes a hundred tickets does not hold a
-- colleague's change up meanwhile. Of two members always the smaller id first: two who swap tickets do not wait for each other in a circle.
-- Written in the caller's organization, as everything.
create function keep_member_loads() returns trigger language plpgsql as $$
declare
  step record;
  was_open constant boolean := tg_op = 'UPDATE' and old.status in ('open', 'in_progress', 'waiting_for_customer');
  is_open constant boolean := new.status in ('open', 'in_progress', 'waiting_for_customer');
begin
  for step in
    select user_id, sum(change)::integer as change, bool_or(is_given) as is_given
    from (values
      (case when tg_op = 'UPDATE' then old.assigned_to end, case when was_open then -1 else 0 end, false),
      (new.assigned_to, case when is_open then 1 else 0 end, tg_op = 'INSERT' or old.assigned_to is distinct from new.assigned_to)
    ) as steps (user_id, change, is_given)
    where user_id is not null group by user_id order by user_id
  loop
    update member_loads set
      -- Never below nothing: a count that is wrong must not keep a ticket from being changed.
      open_tickets = greatest(0, open_tickets + step.change),
      last_assigned_at = case when step.is_given then clock_timestamp() else last_assigned_at end
    where organization_id = new.organization_id and user_id = step.user_id;
    if not found then
      insert into member_loads as l (organization_id, user_id, open_tickets, last_assigned_at)
      values (new.organization_id, step.user_id, greatest(0, step.change), case when step.is_given then clock_timestamp() end)
      on conflict (organization_id, user_id) do update set
        open_tickets = l.open_tickets + excluded.open_tickets, last_assigned_at = coalesce(excluded.last_assigned_at, l.last_assigned_at);
    end if;
  end loop;
  return null;
end $$;
create constraint trigger keep_member_loads_of_new after insert on tickets deferrable initially deferred for each row
  when (new.assigned_to is not null) execute function keep_member_loads();
create constraint trigger keep_member_loads after update of status, assigned_to on tickets deferrable initially deferred for each row
  when (old.assigned_to is distinct from new.assigned_to or (old.status <> new.status and new.assigned_to is not null))
  execute function keep_member_loads();

-- What is there already.
alter table tickets no force row level security;
alter table member_loads no force row level security;
insert into member_loads (organization_id, user_id, open_tickets, last_assigned_at)
select organization_id, assigned_to, count(*) filter (where status in ('open', 'in_progress', 'waiting_for_customer')), null
from tickets where assigned_to is not null group by organization_id, assigned_to;
alter table tickets force row level security;
alter table member_loads force row level security;
