import type { ArticleMatch, HelpCenter, HelpUse, PublicArticle } from '@tandem/contracts';
import { http } from 'msw';
import { anId } from '../../../testing/backend';
import { answer, api, refuse } from '../../../testing/server';

const at = '2026-11-20T10:05:00.000Z';

export const anArticle = (changes: Partial<PublicArticle> = {}): PublicArticle => ({
  number: 12,
  title: 'Refund a payment',
  summary: 'How to return money to a customer.',
  language: 'en',
  body: 'Open the payment and choose **Refund**.',
  category: { number: 3, name: 'Payments', description: 'Charges and refunds' },
  pictures: [],
  first_published_at: at,
  published_at: at,
  related: [],
  ...changes,
});

export const aPicture = (file_name: string): PublicArticle['pictures'][number] => ({
  id: anId(),
  file_name,
  size: 1_000,
  content_type: 'image/png',
  created_at: at,
});

interface Rating {
  number: string;
  helpful: boolean;
  remark: string | null;
  reader: string;
}

/** The help pages of an organization, as the public API returns them. A search finds the articles whose title contains its text. */
export class FakeHelp {
  readonly uses: HelpUse[] = [];
  readonly ratings: Rating[] = [];
  /** `for: text` of each search. */
  readonly searches: string[] = [];

  constructor(public articles: PublicArticle[] = [anArticle()]) {}

  center(): HelpCenter {
    const categories = [3, null].flatMap((number) => {
      const inside = this.articles.filter(({ category }) => (category?.number ?? null) === number);
      const category = inside[0]?.category ?? null;
      return inside.length > 0 ? [{ category, article_count: inside.length, articles: inside.slice(0, 2) }] : [];
    });
    return { article_count: this.articles.length, categories, popular: this.articles.slice(0, 1) };
  }

  find(query: string): ArticleMatch[] {
    const words = query.toLowerCase().split(' ');
    return this.articles
      .filter(({ title }) => words.some((word) => title.toLowerCase().includes(word)))
      .map((article) => ({ ...article, excerpt: article.summary, category_name: article.category?.name ?? null }));
  }

  handlers() {
    return [
      http.get(api('/public/help'), () => answer(this.center())),
      http.get(api('/public/help/categories/:number'), ({ params }) => {
        const articles = this.articles.filter(({ category }) => String(category?.number) === params.number);
        return articles[0] ? answer({ ...articles[0].category, articles }) : refuse('article_category.not_found');
      }),
      http.get(api('/public/help/search'), ({ request }) => {
        const { searchParams } = new URL(request.url);
        const query = searchParams.get('q') ?? '';
        this.searches.push(`${searchParams.get('for') ?? 'search'}: ${query}`);
        return answer(this.find(query));
      }),
      http.get(api('/public/articles/:number'), ({ params }) => {
        const article = this.articles.find(({ number }) => String(number) === params.number);
        return article ? answer(article) : refuse('article.not_found');
      }),
      http.put(api('/public/articles/:number/rating'), async ({ params, request }) => {
        this.ratings.push({ number: String(params.number), ...((await request.json()) as Omit<Rating, 'number'>) });
        return answer({});
      }),
      http.post(api('/public/help/uses'), async ({ request }) => {
        this.uses.push((await request.json()) as HelpUse);
        return answer({}, { status: 202 });
      }),
    ];
  }
}
