-- Counts ratings in help_days. A changed rating counts on the day of the change only; that of a purged article stays counted.
create or replace function count_article_rating() returns trigger language plpgsql as $$
begin
  -- Earlier days first, so that concurrent ratings lock days in the same order.
  if tg_op = 'UPDATE' then
    update help_days set helpful = helpful - old.helpful::integer, not_helpful = not_helpful - (not old.helpful)::integer
    where organization_id = old.organization_id and day = old.day;
  end if;
  insert into help_days as d (organization_id, day, helpful, not_helpful)
  values (new.organization_id, new.day, new.helpful::integer, (not new.helpful)::integer)
  on conflict (organization_id, day) do update set helpful = d.helpful + excluded.helpful, not_helpful = d.not_helpful + excluded.not_helpful;
  return null;
end $$;

create or replace trigger count_article_rating after insert or update of helpful, day on article_ratings
  for each row execute function count_article_rating();
