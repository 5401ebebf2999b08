alter table users add signature text;
