import { articleCategoryPath, articlePath } from '@tandem/contracts';
import type { HelpPagesList } from './help-pages';
import { escapeHtml } from './page-head';

/** https://www.sitemaps.org/protocol.html: the help pages of an organization. A sitemap may have 50,000 addresses. */
export function sitemapXml({ articles, categories }: HelpPagesList, origin: string): string {
  const latest = articles.map(({ published_at }) => published_at).reduce((a, b) => (a > b ? a : b), '');
  const entry = (path: string, changedAt?: string) =>
    `<url><loc>${escapeHtml(origin + path)}</loc>${changedAt ? `<lastmod>${escapeHtml(changedAt)}</lastmod>` : ''}</url>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    entry('/help', latest),
    ...categories.map((category) => entry(articleCategoryPath(category))),
    ...articles.map((article) => entry(articlePath(article), article.published_at)),
    '</urlset>',
    '',
  ].join('\n');
}
