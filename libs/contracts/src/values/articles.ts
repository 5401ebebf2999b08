/** Who can read a published article: everybody on the organization's help pages, or its members only. */
export const articleVisibilities = ['public', 'internal'] as const;
export type ArticleVisibility = (typeof articleVisibilities)[number];

/** `draft`: never published, or unpublished. A published article can have a draft of its next version. */
export const articleStates = ['draft', 'published'] as const;

export const articleLimits = {
  /** Articles per organization, with deleted ones that can still be restored. */
  articles: 5_000,
  title: 150,
  /** One or two sentences for lists, search engines and link previews. */
  summary: 300,
  body: 100_000,
  categories: 50,
  categoryName: 60,
  categoryDescription: 200,
  /** Pictures per article. */
  pictures: 100,
  /** The latest versions that are kept. */
  versions: 100,
  query: 200,
  /** What a reader writes with a rating. */
  remark: 1_000,
  /** How long a deleted article can be restored. */
  daysToRestore: 30,
} as const;

/** When a form for a new ticket looks for articles: after this many characters of the subject, and a pause in typing. */
export const articleSuggestions = { characters: 8, pauseMs: 400, max: 3 } as const;

/** Words of a title or a name for an address: `refund-a-payment`. Empty if it has no Latin letter or digit. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
    .replace(/-$/, '');

const addressOf = (number: number, text: string): string => [String(number), slugOf(text)].filter((part) => part !== '').join('-');

/** The path of an article on the organization's host: `/help/12-refund-a-payment`. Only the number counts, so old links stay valid. */
export const articlePath = ({ number, title }: { number: number; title: string }): string => `/help/${addressOf(number, title)}`;

/** The path of a category on the organization's host: `/help/categories/3-payments`. */
export const articleCategoryPath = ({ number, name }: { number: number; name: string }): string =>
  `/help/categories/${addressOf(number, name)}`;

/** The number at the beginning of the last part of such a path. Undefined if it has none. */
export function numberOfAddress(address: string): number | undefined {
  const digits = /^(\d{1,9})(-|$)/.exec(address)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
