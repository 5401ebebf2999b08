import type { Language } from '@tandem/contracts/values';
import type { CompiledCatalog } from '@tandem/languages/runtime';

type Load = () => Promise<{ default: object }>;

/** Each catalog is a separate file, so that a page loads one language only. */
const portal: Record<Language, Load> = {
  en: () => import('@tandem/languages/catalogs/portal/en.json'),
  de: () => import('@tandem/languages/catalogs/portal/de.json'),
  fr: () => import('@tandem/languages/catalogs/portal/fr.json'),
  es: () => import('@tandem/languages/catalogs/portal/es.json'),
  'pt-BR': () => import('@tandem/languages/catalogs/portal/pt-BR.json'),
  it: () => import('@tandem/languages/catalogs/portal/it.json'),
  nl: () => import('@tandem/languages/catalogs/portal/nl.json'),
  pl: () => import('@tandem/languages/catalogs/portal/pl.json'),
  ja: () => import('@tandem/languages/catalogs/portal/ja.json'),
  ar: () => import('@tandem/languages/catalogs/portal/ar.json'),
};
const survey: Record<Language, Load> = {
  en: () => import('@tandem/languages/catalogs/survey/en.json'),
  de: () => import('@tandem/languages/catalogs/survey/de.json'),
  fr: () => import('@tandem/languages/catalogs/survey/fr.json'),
  es: () => import('@tandem/languages/catalogs/survey/es.json'),
  'pt-BR': () => import('@tandem/languages/catalogs/survey/pt-BR.json'),
  it: () => import('@tandem/languages/catalogs/survey/it.json'),
  nl: () => import('@tandem/languages/catalogs/survey/nl.json'),
  pl: () => import('@tandem/languages/catalogs/survey/pl.json'),
  ja: () => import('@tandem/languages/catalogs/survey/ja.json'),
  ar: () => import('@tandem/languages/catalogs/survey/ar.json'),
};

/** The build and the tests compile the messages of these files (web/vite.catalogs.ts), which TypeScript does not know. */
const load = async (catalogs: Record<Language, Load>, language: Language): Promise<CompiledCatalog> =>
  (await catalogs[language]()).default as CompiledCatalog;

export const loadPortalCatalog = (language: Language): Promise<CompiledCatalog> => load(portal, language);
export const loadSurveyCatalog = (language: Language): Promise<CompiledCatalog> => load(survey, language);
