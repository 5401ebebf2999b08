-- What an end of the work means for the customer, by the id of the list's status, where a person chose it: 'finished' or 'not_planned'.
alter table integrations add column closed_meanings jsonb not null default '{}';
