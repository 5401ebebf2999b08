import type { ArticleMatch, InputOf, searchArticles } from '@tandem/contracts';
import { articleSuggestions } from '@tandem/contracts/values';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import { excerptOf, plainText } from './help';

type Query = InputOf<typeof searchArticles>['query'];
type Found = Omit<ArticleMatch, 'excerpt'> & { body: string };

const maxResults = 10;

/** Published public articles, the best matches first. `migrations/repeatable/article_search.sql` has the rules. */
export async function findMatches(tx: TicketsTx, organization_id: string, { q, language, for: purpose }: Query): Promise<ArticleMatch[]> {
  const limit = purpose === 'suggestions' ? articleSuggestions.max : maxResults;
  const { rows } = await sql<Found>`
    select a.number, v.title, v.summary, v.language, c.name as category_name, left(v.body, 20000) as body
    from find_articles(${q}, ${language ?? null}, ${purpose}, true, ${limit}) with ordinality as found (id, place)
    join articles a on a.organization_id = ${organization_id}::uuid and a.id = found.id
    join article_versions v on v.organization_id = a.organization_id and v.article_id = a.id and v.number = a.published_version
    left join article_categories c on c.organization_id = a.organization_id and c.id = a.category_id
    where a.visibility = 'public' and a.deleted_at is null
    order by found.place`.execute(tx);
  return rows.map(({ body, ...match }) => ({ ...match, excerpt: excerptOf(plainText(body), q) }));
}
