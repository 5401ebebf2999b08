import { directionOf, type Language } from '@tandem/contracts/values';
import type { TextKey, Translate } from '@tandem/languages';
import { readPublicWording } from '@tandem/contracts/endpoints';
import { createTranslator, type CompiledCatalog } from '@tandem/languages/runtime';
import { createContext, useContext } from 'react';
import { problemTexts } from './problems';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import { setProblemTexts } from '../../../lib/problem';
import { readSite } from '../../../lib/site';
import { setUiLanguage } from '../../../lib/ui-texts';
import { loadPortalCatalog, loadSurveyCatalog } from './catalogs';

export type PortalTranslate = Translate<TextKey<'portal' | 'survey'>>;

const keyOf = (language: Language, withSurvey: boolean) => `${language} ${withSurvey}`;
const loaded = new Map<string, PortalTranslate>();
const loading = new Map<string, Promise<PortalTranslate>>();

/** The texts of the customer pages in a language; the survey page needs its own as well. Undefined if they are not loaded. */
export const loadedTexts = (language: Language, withSurvey: boolean): PortalTranslate | undefined =>
  loaded.get(keyOf(language, withSurvey));

/** One request per catalog. After a failure, the next call requests it again. */
export function loadTexts(language: Language, withSurvey: boolean): Promise<PortalTranslate> {
  const key = keyOf(language, withSurvey);
  const running = loading.get(key);
  if (running) return running;
  const texts = requestTexts(language, withSurvey).then(
    (t) => {
      loaded.set(key, t);
      return t;
    },
    (error: Error) => {
      loading.delete(key);
      throw error;
    },
  );
  loading.set(key, texts);
  return texts;
}

async function requestTexts(language: Language, withSurvey: boolean): Promise<PortalTranslate> {
  const wording = readSite().organization?.has_wording ? loadWording(language, withSurvey ? ['portal', 'survey'] : ['portal']) : undefined;
  const [portal, survey] = await Promise.all([loadPortalCatalog(language), withSurvey ? loadSurveyCatalog(language) : {}]);
  const messages = { ...portal, ...survey };
  return createTranslator(language, { ...messages, ...(await wording)?.(messages) });
}

/** The organization's own texts, which replace those of the catalogs; none if they do not load. */
async function loadWording(
  language: Language,
  parts: readonly ('portal' | 'survey')[],
): Promise<((messages: CompiledCatalog) => CompiledCatalog) | undefined> {
  const answers = await Promise.all(parts.map((part) => send(call(readPublicWording, { params: { part, language } }))));
  const own = answers.reduce<Record<string, string>>((all, { data }) => ({ ...all, ...data?.texts }), {});
  if (Object.keys(own).length === 0) return undefined;
  // The parser, which most pages do not need.
  const { compileWording } = await import('@tandem/languages/compile');
  return (messages) => compileWording(own, messages);
}

/** For `Intl`. English dates are in en-US, as on staff pages. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-US' : language);

/** Sets the language of shared components and messages, which do not know the page's texts. */
export function showSharedTexts(t: PortalTranslate): void {
  setUiLanguage({ locale: localeOf(t.language), translate: (key, values) => t(`ui.${key}`, values) });
  setProblemTexts(problemTexts(t));
}
export function hideSharedTexts(): void {
  setUiLanguage();
  setProblemTexts();
}

/** Sets the language of the document. The staff app is in English. */
export function setDocumentLanguage(language: Language): void {
  const page = document.documentElement;
  page.lang = language;
  page.dir = directionOf(language);
}

interface PageLanguage {
  t: PortalTranslate;
  /** Shows the page in another language, once its texts are loaded. */
  change: (language: Language) => void;
}
export const PageLanguage = createContext<PageLanguage | undefined>(undefined);

export function usePageLanguage(): PageLanguage {
  const language = useContext(PageLanguage);
  if (!language) throw new Error('Customer pages are rendered inside CustomerPages');
  return language;
}
/** Returns the function that looks up the page's texts. */
export const useTexts = (): PortalTranslate => usePageLanguage().t;
