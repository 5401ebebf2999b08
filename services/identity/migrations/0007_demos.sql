-- When a demo organization is deleted; null for all others.
alter table organizations add demo_ends_at timestamptz(3);
create index organizations_demos on organizations (demo_ends_at) where demo_ends_at is not null;
