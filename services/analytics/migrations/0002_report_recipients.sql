-- Reports are for admins and managers. Null until the next event about a member; notifications, which sends them, knows every role.
alter table members add role text check (role in ('admin', 'manager', 'agent'));

-- Grows with every change of the frequency or the recipients.
alter table reports add version integer not null default 1;
