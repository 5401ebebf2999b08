import { languages, matchLanguage, type Language, type PublicOrganization } from '@tandem/contracts';
import { parseCookie } from 'cookie';
import type { GatewayRequest } from '../request';

/** Written by the page when the customer chooses a language (web/src/features/portal/language/page-language.ts). */
const cookie = 'tandem_language';

/**
 * The language of a customer page: `?lang=`, the language that the customer last chose, the browser's languages, the organization's default.
 * Only the page knows the ticket's language.
 */
export function pageLanguageOf(
  { url, headers }: Pick<GatewayRequest, 'url' | 'headers'>,
  organization?: PublicOrganization | null,
): Language {
  const offered = organization?.languages.offered ?? languages;
  const asked = new URLSearchParams(url.split('?')[1]).get('lang');
  const chosen = headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[cookie];
  const known = offered.find((language) => language === asked) ?? offered.find((language) => language === chosen);
  return known ?? matchLanguage(headers['accept-language'], offered, organization?.languages.default ?? 'en');
}
