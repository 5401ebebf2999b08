-- Running totals instead of counts per day: the figures of an article in any period are the difference of two rows. Not released before.
drop table article_uses;
create table article_uses (
  organization_id uuid not null,
  article_id uuid not null,
  -- In the organization's time zone, but never before an earlier use of the article.
  day date not null,
  views integer not null default 0,
  suggestions_opened integer not null default 0,
  solved integer not null default 0,
  primary key (organization_id, article_id, day),
  foreign key (organization_id, article_id) references articles (organization_id, id) on delete cascade
);
-- For the sweep that deletes old figures. An expression, so that no other query uses the index, whatever the statistics say.
create index article_uses_expiry on article_uses ((day + 400));
select tenant_isolation('article_uses');
select system_readable('article_uses');
select system_deletable('article_uses');
comment on table article_uses is 'How often an article has been used until the end of a day. Days without a use have no row.';

create table help_days (
  organization_id uuid not null,
  -- In the organization's time zone.
  day date not null,
  views integer not null default 0,
  suggestions_opened integer not null default 0,
  solved integer not null default 0,
  helpful integer not null default 0,
  not_helpful integer not null default 0,
  searches integer not null default 0,
  searches_without_result integer not null default 0,
  primary key (organization_id, day)
);
create index help_days_expiry on help_days ((day + 400));
select tenant_isolation('help_days');
select system_readable('help_days');
select system_deletable('help_days');
comment on table help_days is 'How the help pages of an organization were used on a day.';

-- The day of `rated_at` in the organization's time zone at that time, so that a later change of the zone moves no rating.
alter table article_ratings add column day date not null default current_date;
alter table article_ratings alter column day drop default;
