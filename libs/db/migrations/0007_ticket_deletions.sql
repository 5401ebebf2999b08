create table ticket_deletions (
  organization_id uuid not null,
  ticket_id uuid not null,
  -- Whether analytics keeps counts and times of the ticket.
  keep_figures boolean not null,
  -- The erasure of a customer that deleted it.
  erasure_id uuid,
  -- What was deleted with the tickets of one event, by kind, for the receipt of an erasure. On one row per event.
  erased jsonb,
  -- Events that were on their way can add rows again, so the rows are deleted several times.
  passes smallint not null default 0,
  next_pass_at timestamptz(3) not null default now(),
  primary key (organization_id, ticket_id)
);
create index ticket_deletions_of_erasure on ticket_deletions (organization_id, erasure_id) where erasure_id is not null;
create index ticket_deletions_due on ticket_deletions (next_pass_at);
select tenant_isolation('ticket_deletions');
select system_readable('ticket_deletions');
comment on table ticket_deletions is 'Deleted tickets whose rows and events are deleted from this database. A row is removed after its last pass.';
