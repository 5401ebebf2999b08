-- Of new articles. `en` until the organization's next event.
alter table organizations add default_language text not null default 'en';
