import { brandVariables, directionOf, type Language, type PublicOrganization } from '@tandem/contracts';

/** The head of the first HTML, before any script runs: for people, link previews and search engines. */
export interface PageHead {
  title: string;
  description: string;
  /** The canonical URL without its query: portal queries contain customers' email addresses. */
  url: string;
  siteName: string;
  language: Language;
  isIndexed: boolean;
  /** The path of a wide picture for link previews; null on an organization's host, which shows its logo. */
  picture: string | null;
  /** On an organization's host: supplies colors, logo and icon. */
  organization: PublicOrganization | null | undefined;
  /** An article of the help pages, for link previews. */
  article?: { publishedAt: string; modifiedAt: string };
  /** JSON-LD for search engines (https://schema.org). */
  structuredData?: readonly object[];
  /** Read by the web app (web/src/lib/site.ts). */
  site: object;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

const meta = (attribute: 'name' | 'property', key: string, content: string) =>
  `<meta ${attribute}="${key}" content="${escapeHtml(content)}" />`;

/** Escapes `<`, the only character that could end the JSON inside a script element. */
const jsonText = (data: object) => JSON.stringify(data).replace(/</g, '\\u003c');
const dataBlock = (id: string, data: object) => `<script type="application/json" id="${id}">${jsonText(data)}</script>`;
/** Browsers do not run it: the policy for scripts does not apply. */
const linkedData = (data: object) => `<script type="application/ld+json">${jsonText(data)}</script>`;

/**
 * The brand colors of both schemes. `brandVariables` computes them, so only `#rrggbb` values get here even if other text is stored. The
 * selectors are more specific than those of the style sheet (web/src/tokens.css), which comes later in a page with first HTML.
 */
function brandStyle(organization: PublicOrganization): string {
  const rules = (['light', 'dark'] as const).map((scheme) => {
    const variables = brandVariables(organization.branding, scheme);
    const text = Object.entries(variables ?? {}).map(([name, value]) => `${name}:${value}`);
    return `${scheme === 'light' ? 'html:root,' : ''}html[data-theme='${scheme}']{${text.join(';')}}`;
  });
  return `<style id="brand">${rules.join('')}</style>`;
}

function openGraph({ title, description, url, siteName, picture, organization, article }: PageHead): string[] {
  const image = picture ?? organization?.branding.logo_url;
  return [
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', article ? 'article' : 'website'),
    meta('property', 'og:url', url),
    meta('property', 'og:site_name', siteName),
    ...(article
      ? [meta('property', 'article:published_time', article.publishedAt), meta('property', 'article:modified_time', article.modifiedAt)]
      : []),
    ...(image ? [meta('property', 'og:image', new URL(image, url).href)] : []),
    meta('name', 'twitter:card', picture ? 'summary_large_image' : 'summary'),
  ];
}

/** Replaces text of the built page. Uses a function as the replacement, because `$&` in a name would be interpreted as a pattern. */
const replace = (html: string, pattern: RegExp, value: string) => html.replace(pattern, () => value);

/** The HTML of a public page, and the part of the style sheet that it needs. */
export interface FirstPage {
  html: string;
  css: string;
}

/**
 * Sets the page's first HTML in front of the app, with its styles in the head. The whole style sheet and the scripts, which only the app
 * needs, follow: the sheet after the first HTML, which the browser therefore shows without waiting for it, and the scripts with low
 * priority. Scripts run once the sheet has loaded.
 */
function withFirstPage(page: string, { html, css }: FirstPage): string {
  const sheet = /\s*<link rel="stylesheet"[^>]*>/.exec(page)?.[0] ?? '';
  return replace(
    page.replace(sheet, '').replace(/<script type="module"/, '$& fetchpriority="low"'),
    /<div id="root">/,
    `<div id="first-html">${html}</div>${sheet}\n    <div id="root">`,
  ).replace(/<\/head>/, () => `<style>${css}</style>\n  </head>`);
}

/** Sets this head in the built index.html, and the page's first HTML in front of the app. */
export function pageHtml(html: string, head: PageHead, firstPage?: FirstPage): string {
  const { organization } = head;
  const fullTitle = head.title === head.siteName ? head.title : `${head.title} · ${head.siteName}`;
  const direction = directionOf(head.language) === 'rtl' ? ' dir="rtl"' : '';
  let page = replace(html, /<html lang="en">/, `<html lang="${head.language}"${direction}>`);
  page = replace(page, /<title>[^<]*<\/title>/, `<title>${escapeHtml(fullTitle)}</title>`);
  page = replace(page, /<meta name="description"[^>]*>/, meta('name', 'description', head.description));
  const parts = openGraph(head);
  parts.push(head.isIndexed ? `<link rel="canonical" href="${escapeHtml(head.url)}" />` : meta('name', 'robots', 'noindex'));
  if (organization) {
    const accent = brandVariables(organization.branding, 'light')?.['--accent'];
    if (accent) page = replace(page, /<meta name="theme-color"[^>]*>/, meta('name', 'theme-color', accent));
    const icon = organization.branding.favicon_url;
    if (icon) page = replace(page, /<link rel="icon"[^>]*>/, `<link rel="icon" href="${escapeHtml(icon)}" />`);
    parts.push(brandStyle(organization));
  }
  parts.push(...(head.structuredData ?? []).map(linkedData), dataBlock('site', head.site));
  if (firstPage) page = withFirstPage(page, firstPage);
  return replace(page, /<\/head>/, `${parts.join('\n    ')}\n  </head>`);
}
