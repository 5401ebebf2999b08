import { sql, type RawBuilder } from 'kysely';

/** The running totals of an article on its latest day with a use, at most one row of `article_uses`. */
export const latestUse = (
  organization: RawBuilder<unknown>,
  article: RawBuilder<unknown>,
  isWanted = sql`true`,
): RawBuilder<unknown> => sql`
  select day, views, suggestions_opened, solved from article_uses
  where organization_id = ${organization} and article_id = ${article} and ${isWanted} order by day desc limit 1`;
