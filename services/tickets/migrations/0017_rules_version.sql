-- Migrations 17 to 20: a transaction that locks several tables could deadlock with requests.
alter table organizations
  -- Changes with each change to the active rules; 0: there are none. Processes cache rules by it.
  add rules_version bigint not null default 0;
