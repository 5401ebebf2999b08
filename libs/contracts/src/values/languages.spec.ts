import { directionOf, languageNames, languages, matchLanguage, type Language } from './languages';

describe('matching a language', () => {
  it.each<[string | string[] | null | undefined, Language]>([
    ['de', 'de'],
    ['de-CH, en;q=0.8', 'de'],
    ['en;q=0.5, fr-CA;q=0.9', 'fr'],
    ['EN-gb', 'en'],
    ['pt-PT', 'pt-BR'],
    ['pt-br', 'pt-BR'],
    ['ar-EG,ar;q=0.9', 'ar'],
    ['zh-CN, *;q=0.5', 'nl'],
    ['zh, ja;q=0.1', 'ja'],
    ['de;q=0, it', 'it'],
    ['de;q=high, it', 'it'],
    ['', 'nl'],
    [undefined, 'nl'],
    [null, 'nl'],
    [['', 'sv-SE', 'pl'], 'pl'],
    [[], 'nl'],
  ])('answers %j', (wanted, language) => expect(matchLanguage(wanted, languages, 'nl')).toBe(language));

  it('reads the start of a header only', () => expect(matchLanguage(`${'x,'.repeat(10_000)}de`, languages, 'nl')).toBe('nl'));

  it('picks from the offered languages only', () => {
    expect(matchLanguage('de, fr;q=0.9', ['en', 'fr'], 'en')).toBe('fr');
    expect(matchLanguage(['de'], ['fr'], 'fr')).toBe('fr');
    expect(matchLanguage([null, 'de'], ['en'], 'en')).toBe('en');
  });
});

it('names each language, and knows which is written from right to left', () => {
  expect(Object.keys(languageNames)).toEqual([...languages]);
  expect(languages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar']);
  // Every name and tag is one that browsers know.
  expect(languages.map((language) => Intl.getCanonicalLocales(language)[0])).toEqual([...languages]);
});
