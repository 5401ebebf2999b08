-- Demo organizations send no emails: whoever tries the product may enter any address.
alter table organizations add is_demo boolean not null default false;
