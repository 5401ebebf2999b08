/** The languages of all texts that customers read. The staff app is in English. */
export const languages = ['en', 'de', 'fr', 'es', 'pt-BR', 'it', 'nl', 'pl', 'ja', 'ar'] as const;
export type Language = (typeof languages)[number];

/** The parts of the product that customers read, each with its own texts (libs/languages). */
export const textParts = ['portal', 'survey', 'widget', 'email'] as const;
export type TextPart = (typeof textParts)[number];
/** The maximum length of a text that an organization writes itself, in UTF-16 units. */
export const wordingLimits = { text: 1_000 } as const;

/** The name of each language in the language itself. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ja: '日本語',
  ar: 'العربية',
};

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

// An Accept-Language header is a few dozen characters; a longer one comes from no browser.
const maxHeaderLength = 500;

/** The language tags of an Accept-Language header, best first. A weight of 0 means "not acceptable" (RFC 9110, 12.5.4). */
const tagsOfHeader = (header: string): string[] =>
  header
    .slice(0, maxHeaderLength)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((each) => each.trim());
      const weight = parameters.find((each) => /^q=/i.test(each));
      const quality = weight === undefined ? 1 : Number(weight.slice(2));
      return { tag, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);

const primaryTag = (tag: string): string => tag.toLowerCase().split('-', 1)[0]!;

/**
 * The first wanted language that is offered, else `fallback`. `wanted` is an Accept-Language header or a list of tags, best first. A regional
 * variant matches its language: `de-CH` and `pt-PT` get `de` and `pt-BR`.
 */
export function matchLanguage<Fallback extends Language | null>(
  wanted: string | readonly (string | null | undefined)[] | null | undefined,
  offered: readonly Language[],
  fallback: Fallback,
): Language | Fallback {
  const tags = typeof wanted === 'string' ? tagsOfHeader(wanted) : (wanted ?? []);
  for (const tag of tags) {
    if (!tag) continue;
    const match =
      offered.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
      offered.find((language) => primaryTag(language) === primaryTag(tag));
    if (match) return match;
  }
  return fallback;
}
