import type { Language } from '@tandem/contracts/values';
import type { CompiledCatalog } from '@tandem/languages/runtime';

const catalogs: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('@tandem/languages/catalogs/widget/en.json'),
  de: () => import('@tandem/languages/catalogs/widget/de.json'),
  fr: () => import('@tandem/languages/catalogs/widget/fr.json'),
  es: () => import('@tandem/languages/catalogs/widget/es.json'),
  'pt-BR': () => import('@tandem/languages/catalogs/widget/pt-BR.json'),
  it: () => import('@tandem/languages/catalogs/widget/it.json'),
  nl: () => import('@tandem/languages/catalogs/widget/nl.json'),
  pl: () => import('@tandem/languages/catalogs/widget/pl.json'),
  ja: () => import('@tandem/languages/catalogs/widget/ja.json'),
  ar: () => import('@tandem/languages/catalogs/widget/ar.json'),
};

/** The build compiles the messages of these files (web/vite.catalogs.ts), which TypeScript does not know. */
export const loadWidgetCatalog = async (language: Language): Promise<CompiledCatalog> =>
  (await catalogs[language]()).default as CompiledCatalog;
