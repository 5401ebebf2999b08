-- online
alter table activities validate constraint activities_kind_check;
