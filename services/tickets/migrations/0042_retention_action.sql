-- What happens to tickets of that age.
alter table retention_policies add action text not null default 'delete' check (action in ('delete', 'anonymize'));
