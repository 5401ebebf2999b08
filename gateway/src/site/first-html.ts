import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directionOf, type Language, type PublicArticle, type PublicOrganization } from '@tandem/contracts';
import * as z from 'zod';
import { articleHtml } from './article-html';
import { withAddress } from './docs-markdown';
import { escapeHtml, type FirstPage } from './page-head';
import type { SiteHost } from './site-host';

const ByPath = z.record(z.string(), z.string());
const ByLanguage = z.record(z.string(), ByPath);
/**
 * Written by the web app's build (web/vite.first-html.ts): public pages by kind of host, language of a customer page, and path, the texts
 * for the heads of customer pages, and the styles of each path.
 */
const Pages = z.object({
  product: ByPath,
  portal: ByLanguage,
  'portal-logo': ByLanguage,
  heads: z.record(z.string(), z.record(z.string(), z.object({ title: z.string(), description: z.string() }))),
  styles: z.object({ product: ByPath, portal: ByPath }),
});
type HeadTexts = z.infer<typeof Pages>['heads'][string][string];

interface FirstHtml {
  /**
   * The HTML of a public page, which the browser shows until the app has replaced it (web/src/lib/first-html.ts). Undefined if the build has
   * none for this path, or if the host has no organization.
   */
  page: (
    path: string,
    host: Pick<SiteHost, 'kind' | 'organization' | 'origin'>,
    language: Language,
    article?: PublicArticle | null,
  ) => FirstPage | undefined;
  /** Title and description of a customer page. Undefined in English, whose texts are in pages.ts. */
  head: (path: string, language: Language) => HeadTexts | undefined;
}

export function firstHtmlOf(webRoot: string, options: { isSingle: boolean }): FirstHtml {
  const pages = read(webRoot);
  return {
    page: (path, { kind, organization, origin }, language, article) => {
      if (pages === undefined || kind === 'portal_domain') return undefined;
      const css = pages.styles[kind][path] ?? '';
      if (kind === 'product') {
        const html = pages.product[path];
        return html === undefined ? undefined : { html: withAddress(html, origin, options), css };
      }
      // An organization's own texts come with the app: the texts of the catalog must not be shown before.
      if (!organization || (organization.has_wording && !article)) return undefined;
      const html = pages[organization.branding.logo_url ? 'portal-logo' : 'portal'][language]?.[path];
      if (html === undefined || html.includes('tandem:article') !== Boolean(article)) return undefined;
      const shown = organization.has_wording ? onlyArticle(html) : html;
      return { html: withOrganization(shown, organization, article ? articleValues(article, origin) : {}), css };
    },
    head: (path, language) => (language === 'en' ? undefined : pages?.heads[language]?.[path]),
  };
}

/** The content of the page without its frame, whose texts are those of the catalog. */
function onlyArticle(html: string): string {
  const main = /<main[^>]*>/.exec(html)?.[0] ?? '<main>';
  const article = /<article>.*<\/article>/s.exec(html)?.[0] ?? '';
  return `${main}${article}</main>`;
}

/** Search engines and screen readers take the language of an article from its element: the frame is in the reader's language. */
const articleValues = (article: PublicArticle, origin: string): Record<string, string> => ({
  '<article>': `<article lang="${article.language}" dir="${directionOf(article.language)}">`,
  'tandem:title': escapeHtml(article.title),
  'tandem:article': articleHtml(article, new URL(origin).host),
});

/** One pass, so that a name which looks like another placeholder stays a name. */
function withOrganization(html: string, { name, branding }: PublicOrganization, more: Record<string, string>): string {
  const values: Record<string, string> = {
    ...more,
    'tandem:name': escapeHtml(name),
    'tandem:logo': escapeHtml(branding.logo_url ?? ''),
  };
  const poweredBy = branding.hide_powered_by ? '' : '$&';
  return html
    .replace(/<span data-powered-by="true">[^<]*<\/span>/, poweredBy)
    .replace(/tandem:(name|logo|title|article)|<article>/g, (placeholder) => values[placeholder] ?? placeholder);
}

function read(webRoot: string): z.infer<typeof Pages> | undefined {
  try {
    return Pages.parse(JSON.parse(readFileSync(join(webRoot, 'first-html.json'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
