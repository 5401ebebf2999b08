import type { Article, Portal, World } from './world';

const updatedAt = Date.UTC(2024, 5, 1, 12, 0, 31) / 1_000;

/** A help center in two languages with 31 articles: two pages, drafts, an archived one, one without a category. */
export function seedPortal(world: World): void {
  const categories = [
    { id: 1, name: 'Getting started', slug: 'getting-started', locale: 'en', description: 'First steps', position: 1 },
    { id: 2, name: 'Billing', slug: 'billing', locale: 'en', description: null, position: 2 },
    { id: 3, name: 'Erste Schritte', slug: 'erste-schritte', locale: 'de', description: null, position: 1 },
  ];
  const portal: Portal = { id: 1, name: 'Acme help', slug: 'acme-help', default_locale: 'en', categories, articles: [] };
  for (let id = 1; id <= 31; id++) portal.articles.push(article(id));
  world.portals = [portal];
}

function article(id: number): Article {
  const isGerman = id % 5 === 0;
  return {
    id,
    title: isGerman ? `Anleitung ${id}` : `How to ${id}`,
    slug: `1700000000-how-to-${id}`,
    content: `# Steps\n\n1. Open **settings**\n2. See [the shop](https://shop.acme.test)\n\nref${id}a`,
    description: id % 2 ? `About ${id}` : null,
    status: id % 10 === 9 ? 'draft' : id === 30 ? 'archived' : 'published',
    locale: isGerman ? 'de' : 'en',
    category_id: id === 31 ? null : isGerman ? 3 : (id % 2) + 1,
    author_id: id === 7 ? 4 : 1,
    updated_at: updatedAt + id * 61,
  };
}
