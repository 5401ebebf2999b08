alter table comments add rule jsonb;
