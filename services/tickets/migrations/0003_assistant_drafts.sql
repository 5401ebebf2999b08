-- The API token that drafted the text for the user, {id, name, via}; null once the user has changed it.
alter table drafts add token jsonb;

alter table activities
  drop constraint activities_kind_check,
  add constraint activities_kind_check
    check (kind in ('created', 'changed', 'merged', 'reply_drafted', 'sla_warning', 'sla_breached', 'escalated')) not valid;
-- Checks the existing rows without blocking those that change them.
alter table activities validate constraint activities_kind_check;
