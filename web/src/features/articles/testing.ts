import type { Article, ArticleCategory, ArticleRating, ArticleVersion } from '@tandem/contracts';
import { http } from 'msw';
import { anId } from '../../testing/backend';
import { answer, api, refuse } from '../../testing/responses';

const at = '2026-11-20T10:05:00.000Z';
let numbers = 0;

export const anArticle = (overrides: Partial<Article> = {}): Article => ({
  id: anId(),
  number: (numbers += 1),
  title: 'Refund a payment',
  summary: null,
  body: 'Open the payment.',
  language: 'en',
  category_id: null,
  visibility: 'public',
  state: 'draft',
  has_unpublished_changes: false,
  published_title: null,
  published_at: null,
  updated_at: at,
  updated_by: null,
  deleted_at: null,
  latest_version: null,
  ticket_id: null,
  pictures: [],
  views: 0,
  helpful: 0,
  not_helpful: 0,
  created_at: at,
  version: 1,
  ...overrides,
});

export const aCategory = (overrides: Partial<ArticleCategory> = {}): ArticleCategory => ({
  id: anId(),
  number: (numbers += 1),
  name: 'Payments',
  description: null,
  position: 1,
  article_count: 0,
  updated_at: at,
  ...overrides,
});

type Version = ArticleVersion & Pick<Article, 'summary' | 'body' | 'language'>;
const pageSize = 50;

/** The fake server's articles. Tests fill it and pass `handlers()` to `server.use`. */
export class FakeArticles {
  articles: Article[] = [];
  categories: ArticleCategory[] = [];
  versions: Version[] = [];
  ratings: ArticleRating[] = [];
  /** The requests that changed something. */
  sent: { call: string; body: unknown }[] = [];

  find = (id: unknown) => this.articles.find((article) => article.id === id);
  bodies = (call: string) => this.sent.filter((each) => each.call === call).map(({ body }) => body);
  private note = (call: string, body: unknown) => void this.sent.push({ call, body });
  private change(id: unknown, news: Partial<Article>) {
    const article = this.find(id);
    if (!article) return refuse('article.not_found');
    return answer(Object.assign(article, news, { version: article.version + 1 }));
  }

  private list(url: URL) {
    const wanted = (name: string) => url.searchParams.get(name);
    const found = this.articles.filter(
      ({ title, state, visibility, category_id, deleted_at }) =>
        (deleted_at !== null) === (wanted('deleted') === 'true') &&
        (wanted('state') ?? state) === state &&
        (wanted('visibility') ?? visibility) === visibility &&
        (wanted('category_id') ?? category_id ?? 'none') === (category_id ?? 'none') &&
        title.toLowerCase().includes(wanted('q')?.toLowerCase() ?? ''),
    );
    const from = Number(wanted('cursor') ?? 0);
    const next = from + pageSize < found.length ? String(from + pageSize) : null;
    return answer(found.slice(from, from + pageSize), {
      pagination: { page: null, limit: pageSize, total: found.length, next_cursor: next },
    });
  }

  handlers = () => [
    http.get(api('/articles'), ({ request }) => this.list(new URL(request.url))),
    http.post(api('/articles'), async ({ request }) => {
      const body = (await request.json()) as Partial<Article>;
      this.note('create', body);
      this.articles.push(anArticle({ body: '', ...body }));
      return answer(this.articles.at(-1)!, { status: 201 });
    }),
    http.get(api('/articles/:id'), ({ params }) => {
      const article = this.find(params.id);
      return article ? answer(article) : refuse('article.not_found');
    }),
    http.patch(api('/articles/:id'), async ({ params, request }) => {
      const body = (await request.json()) as Partial<Article>;
      const article = this.find(params.id);
      if (request.headers.get('if-match') !== `"${article?.version}"`) return refuse('request.precondition_failed');
      this.note('update', body);
      return this.change(params.id, { ...body, has_unpublished_changes: article?.state === 'published' });
    }),
    http.post(api('/articles/:id/publish'), async ({ params, request }) => {
      const { version } = (await request.json()) as { version: number };
      this.note('publish', version);
      if (this.find(params.id)?.version !== version) return refuse('article.changed');
      return this.change(params.id, { state: 'published', has_unpublished_changes: false, published_at: at });
    }),
    http.post(api('/articles/:id/unpublish'), ({ params }) => {
      this.note('unpublish', params.id);
      return this.change(params.id, { state: 'draft', has_unpublished_changes: false });
    }),
    http.delete(api('/articles/:id'), ({ params }) => {
      this.note('delete', params.id);
      this.change(params.id, { deleted_at: at });
      return answer({});
    }),
    http.post(api('/articles/:id/restore'), ({ params }) => {
      this.note('restore', params.id);
      return this.change(params.id, { deleted_at: null });
    }),
    http.post(api('/articles/:id/pictures'), async ({ params, request }) => {
      const body = (await request.json()) as { attachment_id: string };
      this.note('picture', body);
      const picture = { id: body.attachment_id, file_name: 'image-2.png', size: 3, content_type: 'image/png', created_at: at };
      this.find(params.id)!.pictures.push(picture);
      return answer(picture, { status: 201 });
    }),
    http.get(api('/articles/:id/versions'), () =>
      answer(this.versions.map(({ number, title, published_at, published_by }) => ({ number, title, published_at, published_by }))),
    ),
    http.get(api('/articles/:id/versions/:number'), ({ params }) =>
      answer(this.versions.find(({ number }) => number === Number(params.number))!),
    ),
    http.get(api('/articles/:id/ratings'), () =>
      answer(this.ratings, { pagination: { page: null, limit: 20, total: this.ratings.length, next_cursor: null } }),
    ),
    ...this.categoryHandlers(),
  ];

  private categoryHandlers = () => [
    http.get(api('/article-categories'), () => answer(this.categories)),
    http.post(api('/article-categories'), async ({ request }) => {
      const body = (await request.json()) as Partial<ArticleCategory>;
      this.note('create category', body);
      if (this.categories.some(({ name }) => name === body.name)) return refuse('article_category.name_taken');
      this.categories = [...this.categories, aCategory({ ...body, position: this.categories.length + 1 })];
      return answer(this.categories.at(-1)!, { status: 201 });
    }),
    http.put(api('/article-categories/order'), async ({ request }) => {
      const { ids } = (await request.json()) as { ids: string[] };
      this.note('order categories', ids);
      this.categories = ids.map((id) => this.categories.find((category) => category.id === id)!);
      return answer(this.categories);
    }),
    http.patch(api('/article-categories/:id'), async ({ params, request }) => {
      const body = (await request.json()) as Partial<ArticleCategory>;
      this.note('update category', body);
      this.categories = this.categories.map((category) => (category.id === params.id ? { ...category, ...body } : category));
      return answer(this.categories.find(({ id }) => id === params.id)!);
    }),
    http.delete(api('/article-categories/:id'), ({ params }) => {
      this.note('delete category', params.id);
      this.categories = this.categories.filter(({ id }) => id !== params.id);
      return answer({});
    }),
  ];
}
