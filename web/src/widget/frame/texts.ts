import { directionOf, isCustomFieldName, type Language } from '@tandem/contracts/values';
import type { TextKey, Translate } from '@tandem/languages';
import { createTranslator, type CompiledCatalog } from '@tandem/languages/runtime';
import { splitTags } from '@tandem/languages/tags';
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { setProblemTexts, type ApiProblem } from '../../lib/problem';
import { englishUiText, setUiLanguage } from '../../lib/ui-texts';
import type { Calls } from './calls';
import { loadWidgetCatalog } from './catalogs';

export type WidgetTranslate = Translate<TextKey<'widget'>>;

/** The problems that visitors can encounter, for translation. In English, the server's own descriptions are shown. */
const codes = [
  'limit.exceeded',
  'network.failed',
  'organization.not_found',
  'request.invalid',
  'service.unavailable',
  'ticket.locked',
  'ticket.not_found',
  'widget.identity_invalid',
] as const satisfies ApiProblem['code'][];

function problemText(t: WidgetTranslate, code: ApiProblem['code']): string {
  if (code === 'widget.identity_required') return t('frame.identity_required');
  const known = codes.find((each) => each === code);
  return known ? t(`problem.${known}`) : t('problem.other');
}

/** Sets the language of the document, and of the functions that the frame shares with the app. */
function show(t: WidgetTranslate): void {
  const page = document.documentElement;
  page.lang = t.language;
  page.dir = directionOf(t.language);
  document.title = t('frame.support');
  setUiLanguage({
    locale: t.language === 'en' ? 'en-US' : t.language,
    translate: (key, values) => (key === 'just_now' ? t('conversation.just_now') : englishUiText(key, values)),
  });
  setProblemTexts(
    t.language === 'en'
      ? undefined
      : {
          problem: (code) => problemText(t, code),
          input: (path) => t(path.endsWith('email') && !isCustomFieldName(path) ? 'problem.email' : 'problem.input'),
        },
  );
}

/** The catalog, in which the organization's own texts replace the originals unless they fail to load. */
async function loadMessages(language: Language, calls: Calls, hasWording: boolean): Promise<CompiledCatalog> {
  const [messages, own] = await Promise.all([loadWidgetCatalog(language), hasWording ? calls.wording(language) : undefined]);
  if (!own?.value) return messages;
  const { compileWording } = await import('@tandem/languages/compile');
  return { ...messages, ...compileWording(own.value.texts, messages) };
}

/** The texts in a language, once they are loaded. While the language is undefined, so are they. */
export function useLoadedTexts(language: Language | undefined, calls: Calls, hasWording: boolean): WidgetTranslate | undefined {
  const [texts, setTexts] = useState<WidgetTranslate>();
  useEffect(() => {
    if (!language) return;
    let left = false;
    const use = (t: WidgetTranslate) => {
      if (left) return;
      show(t);
      setTexts(() => t);
    };
    loadMessages(language, calls, hasWording).then(
      (messages) => use(createTranslator(language, messages)),
      // If the texts fail to load, only the header is shown, and the launcher's fallback appears after ten seconds.
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [language, calls, hasWording]);
  return texts;
}

export const Texts = createContext<WidgetTranslate | undefined>(undefined);
/** Returns the function that looks up the frame's texts. */
export function useTexts(): WidgetTranslate {
  const t = useContext(Texts);
  if (!t) throw new Error('The frame renders its views once their texts are loaded');
  return t;
}

/** A text with one tag, `<link>…</link>`. */
export const withLink = (text: string, link: (inside: string) => ComponentChildren): ComponentChildren[] =>
  splitTags(text).map(({ tag, text: inside }) => (tag === undefined ? inside : link(inside)));
