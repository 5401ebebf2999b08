import {
  articleCategoryPath,
  articlePath,
  numberOfAddress,
  type PublicArticle,
  type PublicArticleCategory,
  type PublicOrganization,
} from '@tandem/contracts';
import { articleDescription } from './article-html';
import type { PageHead } from './page-head';

const articlePage = '/help/:address';
const categoryPage = '/help/categories/:address';

/** What the page of an article or a category shows. `path` is its canonical address on the host. */
export type HelpContent = { path: string } & (
  | { article: PublicArticle; category?: never }
  | { category: PublicArticleCategory; article?: never }
);

/** The article or category that an address names. `number` is undefined if the address has none. */
export type HelpTarget = { kind: 'article' | 'category'; number: number | undefined };

/** Undefined for pages that show neither an article nor a category. `pattern` is the path of the page in `sitePages`. */
export function helpTargetOf(pattern: string, path: string): HelpTarget | undefined {
  if (pattern !== articlePage && pattern !== categoryPage) return undefined;
  const address = path.replace(/\/$/, '').split('/').at(-1)!;
  return { kind: pattern === articlePage ? 'article' : 'category', number: numberOfAddress(address) };
}

type HelpHead = Pick<PageHead, 'title' | 'description' | 'article' | 'structuredData'>;

interface Site {
  organization: Pick<PublicOrganization, 'name' | 'branding'>;
  /** Scheme and host of canonical addresses. */
  origin: string;
  /** The title of the help pages, in the reader's language. */
  helpTitle: string;
}

/** https://schema.org/BreadcrumbList: from the help pages to this one. */
const breadcrumbs = (origin: string, pages: { name: string; path: string }[]) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: pages.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: origin + path,
  })),
});

const stepsTo = (category: PublicArticleCategory | null, helpTitle: string) => [
  { name: helpTitle, path: '/help' },
  ...(category === null ? [] : [{ name: category.name, path: articleCategoryPath(category) }]),
];

function articleHead(article: PublicArticle, { organization, origin, helpTitle }: Site, fallback: string): HelpHead {
  const { title, language, category, first_published_at, published_at } = article;
  const description = articleDescription(article) || fallback;
  const path = articlePath(article);
  const logo = organization.branding.logo_url;
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: title,
    description,
    datePublished: first_published_at,
    dateModified: published_at,
    inLanguage: language,
    mainEntityOfPage: origin + path,
    publisher: {
      '@type': 'Organization',
      name: organization.name,
      ...(logo === null ? {} : { logo: new URL(logo, origin).href }),
    },
  };
  return {
    title,
    description,
    article: { publishedAt: first_published_at, modifiedAt: published_at },
    structuredData: [data, breadcrumbs(origin, [...stepsTo(category, helpTitle), { name: title, path }])],
  };
}

const categoryHead = (category: PublicArticleCategory, { origin, helpTitle }: Site, description: string): HelpHead => ({
  title: category.name,
  description: category.description ?? description,
  structuredData: [breadcrumbs(origin, stepsTo(category, helpTitle))],
});

/** What the head of a page contains about its article or category. `description` is used for one without its own. */
export const helpHead = (content: HelpContent, site: Site, description: string): HelpHead =>
  content.article ? articleHead(content.article, site, description) : categoryHead(content.category, site, description);
