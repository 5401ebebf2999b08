create table quiet_tickets (
  organization_id uuid not null,
  ticket_id uuid not null,
  primary key (organization_id, ticket_id),
  foreign key (organization_id, ticket_id) references tickets (organization_id, id) on delete cascade
);
select tenant_isolation('quiet_tickets');
comment on table quiet_tickets is 'Tickets whose customer must get no automatic reply, because the email that opened them forbids it or may be forged.';
