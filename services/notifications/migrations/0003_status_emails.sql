-- The version of the ticket with its latest change of status: an email about an earlier one is not sent.
alter table ticket_followers add status_version integer not null default 0;
