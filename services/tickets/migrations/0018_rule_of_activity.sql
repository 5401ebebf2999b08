alter table activities add rule jsonb;
