-- {name}
alter table comments add imported_author jsonb;
