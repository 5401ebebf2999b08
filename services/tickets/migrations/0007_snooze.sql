alter table tickets
  add snoozed_at timestamptz(3),
  -- Null with snoozed_at: until the customer replies.
  add snoozed_until timestamptz(3),
  add constraint snoozed_until_with_start check (snoozed_until is null or snoozed_at is not null) not valid;
alter table tickets validate constraint snoozed_until_with_start;
create index tickets_snoozed on tickets (organization_id, status, created_at desc, id desc) where snoozed_at is not null;

create table ticket_wake_times (
  organization_id uuid not null,
  ticket_id uuid not null,
  -- Equals tickets.snoozed_until, or is outdated: then the job removes the row and leaves the ticket as it is.
  wake_at timestamptz(3) not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
create index ticket_wake_times_due on ticket_wake_times (wake_at);
select tenant_isolation('ticket_wake_times');
-- The sweep finds the due tickets of all organizations.
select system_readable('ticket_wake_times');
comment on table ticket_wake_times is 'When snoozed tickets wake.';

alter table activities
  drop constraint activities_kind_check,
  add constraint activities_kind_check
    check (
      kind in ('created', 'changed', 'merged', 'reply_drafted', 'sla_warning', 'sla_breached', 'escalated', 'snoozed', 'woken')
    ) not valid;
alter table activities validate constraint activities_kind_check;
