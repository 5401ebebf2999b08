import { languages, matchLanguage, type Language } from '@tandem/contracts/values';
import { createExternalStore } from '../../../lib/external-store';
import { readSite } from '../../../lib/site';

/** The gateway reads it, too, so that the first HTML is in the language that the customer last chose. */
const cookie = 'tandem_language';
const yearSeconds = 365 * 24 * 3_600;

/** The language that the customer has chosen on this page. */
const chosen = createExternalStore<Language | undefined>(() => undefined);

const remembered = (): string | undefined =>
  document.cookie
    .split('; ')
    .find((each) => each.startsWith(`${cookie}=`))
    ?.slice(cookie.length + 1);

/** Saves the customer's choice for their next visit. */
export function rememberLanguage(language: Language): void {
  chosen.set(language);
  const secure = location.protocol === 'https:' ? '; secure' : '';
  document.cookie = `${cookie}=${language}; path=/; max-age=${yearSeconds}; samesite=lax${secure}`;
}

/** The languages of the organization, or all languages until it is known. */
const offeredLanguages = (): readonly Language[] => readSite().organization?.languages.offered ?? languages;

/** The language of `?lang=`, if it is offered. A link with it overrides the ticket's language. */
export const linkedLanguage = (search: string): Language | undefined => {
  const wanted = new URLSearchParams(search).get('lang');
  return offeredLanguages().find((language) => language === wanted);
};

/**
 * The language of a page that is opened: the choice made here, `?lang=`, the last choice, the browser's languages, the organization's
 * default. The gateway follows the same rule (gateway/src/site/page-language.ts) and writes its answer into the page.
 */
export function firstLanguage(search: string): Language {
  const site = readSite();
  const fallback = site.organization?.languages.default ?? 'en';
  const known = chosen.get() ?? linkedLanguage(search) ?? site.language;
  return known ?? matchLanguage([remembered(), ...navigator.languages], offeredLanguages(), fallback);
}
