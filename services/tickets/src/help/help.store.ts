import type {
  ArticleCategory,
  HelpCenter,
  OutputOf,
  listHelpPages,
  PublicArticle,
  PublicArticleCategory,
  PublicArticleSummary,
} from '@tandem/contracts';
import { sql, type RawBuilder } from 'kysely';
import { findPictures } from '../article/article-picture.store';
import type { TicketsTx } from '../schema';
import { latestUse } from './latest-use';

/** The first articles of each category on the home of the help pages. */
const maxPerCategory = 5;
const maxPopular = 6;
/** More than are shown: some may be in another language, or no longer public. */
const maxMostViewed = 100;
const maxRelated = 4;
const popularDays = 30;

/**
 * The published text of every article that everybody may read, as `p`. Only this shows articles to readers: the draft of an article, in
 * its own row, is never part of it.
 */
const published = (organization_id: string): RawBuilder<unknown> => sql`(
  select a.organization_id, a.id, a.number, a.category_id, a.first_published_at, v.title, v.summary, v.body, v.language, v.number as version, v.published_at
  from articles a
  join article_versions v on v.organization_id = a.organization_id and v.article_id = a.id and v.number = a.published_version
  where a.organization_id = ${organization_id}::uuid and a.visibility = 'public' and a.deleted_at is null) p`;

const summary = sql`p.number, p.title, p.summary, p.language`;
const byTitle = sql`fold_case(p.title), p.number`;

/** The language to which lists are limited: null while the organization has no public article in it. */
export async function listedLanguage(tx: TicketsTx, organization_id: string, language: string | undefined): Promise<string | null> {
  if (language === undefined) return null;
  const { rows } = await sql`select from ${published(organization_id)} where p.language = ${language} limit 1`.execute(tx);
  return rows.length > 0 ? language : null;
}

const inLanguage = (language: string | null) => sql`(${language}::text is null or p.language = ${language})`;

type Listed = PublicArticleSummary & { category_number: number | null; article_count: number };

/** The categories with articles and their first ones; articles without a category come last. */
export async function findCategories(tx: TicketsTx, organization_id: string, language: string | null): Promise<HelpCenter['categories']> {
  const articles = sql<Listed>`
    select ${summary}, p.category_number, p.article_count from (
      select p.*, c.number as category_number, c.position, count(*) over (partition by p.category_id) ::integer as article_count,
        row_number() over (partition by p.category_id order by ${byTitle}) as place
      from ${published(organization_id)}
      left join article_categories c on c.organization_id = ${organization_id}::uuid and c.id = p.category_id
      where ${inLanguage(language)}) p
    where p.place <= ${maxPerCategory} order by p.position nulls last, p.place`.execute(tx);
  const all = tx.selectFrom('article_categories').select(['number', 'name', 'description']).where('organization_id', '=', organization_id);
  const [{ rows }, categories] = await Promise.all([articles, all.execute()]);
  const found: HelpCenter['categories'] = [];
  let last: number | null | undefined;
  for (const { category_number, article_count, ...article } of rows) {
    if (category_number !== last)
      found.push({ category: categories.find(({ number }) => number === category_number) ?? null, article_count, articles: [] });
    last = category_number;
    found.at(-1)!.articles.push(article);
  }
  return found;
}

/** The views of the article `p` in the last days. */
const recentViews = sql`
  select coalesce(l.views, 0) - coalesce(e.views, 0) as views
  from (values (true)) x
    left join lateral (${latestUse(sql`p.organization_id`, sql`p.id`)}) l on true
    left join lateral (${latestUse(sql`p.organization_id`, sql`p.id`, sql`day < current_date - ${sql.lit(popularDays)}`)}) e on true`;

/** The ids of the most viewed articles, the most viewed first. */
export async function findMostViewed(tx: TicketsTx, organization_id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from ${published(organization_id)} cross join lateral (${recentViews}) u
    where u.views > 0 order by u.views desc, p.number limit ${maxMostViewed}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The first of the most viewed articles that are still public. */
export async function findPopular(
  tx: TicketsTx,
  organization_id: string,
  language: string | null,
  mostViewed: readonly string[],
): Promise<PublicArticleSummary[]> {
  const { rows } = await sql<PublicArticleSummary>`
    select ${summary} from ${published(organization_id)}
    join unnest(${mostViewed}::uuid[]) with ordinality as m (id, place) on m.id = p.id
    where ${inLanguage(language)} order by m.place limit ${maxPopular}`.execute(tx);
  return rows;
}

export const findCategory = (
  tx: TicketsTx,
  organization_id: string,
  number: number,
): Promise<(PublicArticleCategory & Pick<ArticleCategory, 'id'>) | undefined> =>
  tx
    .selectFrom('article_categories')
    .select(['id', 'number', 'name', 'description'])
    .where('organization_id', '=', organization_id)
    .where('number', '=', number)
    .executeTakeFirst();

export async function findArticlesOfCategory(
  tx: TicketsTx,
  organization_id: string,
  category_id: string,
  language: string | null,
): Promise<PublicArticleSummary[]> {
  const { rows } = await sql<PublicArticleSummary>`
    select ${summary} from ${published(organization_id)} where p.category_id = ${category_id}::uuid and ${inLanguage(language)}
    order by ${byTitle}`.execute(tx);
  return rows;
}

/** Categories without a public article are left out: their pages would be empty. */
export async function findPages(tx: TicketsTx, organization_id: string): Promise<OutputOf<typeof listHelpPages>> {
  const articles = sql<OutputOf<typeof listHelpPages>['articles'][number]>`
    select p.number, p.title, p.published_at from ${published(organization_id)} order by p.number`.execute(tx);
  const categories = sql<OutputOf<typeof listHelpPages>['categories'][number]>`
    select c.number, c.name from article_categories c
    where c.organization_id = ${organization_id}::uuid and exists (select from ${published(organization_id)} where p.category_id = c.id)
    order by c.position`.execute(tx);
  const [{ rows: pages }, { rows: groups }] = await Promise.all([articles, categories]);
  return { articles: pages, categories: groups };
}

type Text = Omit<PublicArticle, 'category' | 'pictures' | 'related'> & { id: string; category_id: string | null };

export async function findPublicArticle(tx: TicketsTx, organization_id: string, number: number): Promise<PublicArticle | undefined> {
  const { rows } = await sql<Text>`
    select ${summary}, p.id, p.category_id, p.body, p.first_published_at, p.published_at
    from ${published(organization_id)} where p.number = ${number}`.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  const { id, category_id, ...article } = row;
  const [pictures, category, related] = await Promise.all([
    findPictures(tx, organization_id, id),
    category_id === null ? null : findCategoryById(tx, organization_id, category_id),
    category_id === null ? [] : findRelated(tx, organization_id, row),
  ]);
  return { ...article, category: category ?? null, pictures, related };
}

const findCategoryById = (tx: TicketsTx, organization_id: string, id: string): Promise<PublicArticleCategory | undefined> =>
  tx
    .selectFrom('article_categories')
    .select(['number', 'name', 'description'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst();

async function findRelated(tx: TicketsTx, organization_id: string, { id, category_id, language }: Text): Promise<PublicArticleSummary[]> {
  const { rows } = await sql<PublicArticleSummary>`
    select ${summary} from ${published(organization_id)} cross join lateral (${recentViews}) u
    where p.category_id = ${category_id}::uuid and p.language = ${language} and p.id <> ${id}::uuid
    order by u.views desc, ${byTitle} limit ${maxRelated}`.execute(tx);
  return rows;
}
