import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages, type Language } from '@tandem/contracts/values';
import { catalogs } from './catalogs';
import { catalogProblems, compileCatalog, compileWording, placeholdersOf, wordingProblem } from './compile';
import { parts, type Catalog, type Part } from './parts';
import { createTranslator } from './runtime';
import { splitTags } from './tags';
import { translator } from './translator';

const root = join(__dirname, '../../..');
/** Where the texts of each part are used. */
const users: Record<Part, string[]> = {
  portal: ['web/src/features/portal', 'web/src/lib', 'web/src/ui', 'web/src/app', 'web/vite.first-html.ts'],
  survey: ['web/src/features/portal/survey'],
  widget: ['web/src/widget'],
  email: ['services/notifications/src'],
};

const sourcesIn = (path: string): string[] => {
  if (/\.tsx?$/.test(path)) return /\.(test|spec)\./.test(path) ? [] : [readFileSync(join(root, path), 'utf8')];
  if (/\.\w+$/.test(path)) return [];
  return readdirSync(join(root, path)).flatMap((name) => sourcesIn(`${path}/${name}`));
};

describe('the catalogs', () => {
  const all = parts.flatMap((part) => languages.map((language): [Part, Language] => [part, language]));
  it.each(all)('%s in %s has every text, with the values of the English one', (part, language) => {
    expect(catalogProblems(language, catalogs[part][language], catalogs[part].en)).toEqual([]);
  });

  it.each(parts)('%s has no text that is not used', (part) => {
    const code = users[part].flatMap(sourcesIn).join('\n');
    const isUsed = (key: string) =>
      [`'${key}'`, `"${key}"`].some((text) => code.includes(text)) ||
      // Keys with a variable end: t(`status.${status}`).
      key.split('.').some((_, index, all) => code.includes(`\`${all.slice(0, index).join('.')}.\${`));
    expect(Object.keys(catalogs[part].en).filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('the texts of the staff app', () => {
  const folder = join(root, 'libs/languages/catalogs/staff/en');
  const files = readdirSync(folder).map((file): [string, Catalog] => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(folder, file), 'utf8')) as Catalog,
  ]);

  it.each(files)('%s has valid messages with its keys, in plain words', async (area, catalog) => {
    const { words } = (await import(join(root, 'oxlint.plain-words.mjs'))) as { words: [RegExp, string][] };
    expect(catalogProblems('en', catalog, catalog)).toEqual([]);
    expect(Object.keys(catalog).filter((key) => !key.startsWith(`${area}.`))).toEqual([]);
    expect(Object.values(catalog).filter((text) => words.some(([word]) => word.test(text)))).toEqual([]);
  });

  it('are all used', () => {
    const code = sourcesIn('web/src').join('\n');
    expect(files.flatMap(([, catalog]) => Object.keys(catalog)).filter((key) => !code.includes(`'${key}'`))).toEqual([]);
  });
});

describe('checking a catalog', () => {
  const source = { hello: 'Hello {name}', files: '{count, plural, one {# file} other {# files}}', help: 'Ask <link>us</link>.' };
  const polish = {
    hello: 'Cześć {name}',
    files: '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}',
    help: 'Zapytaj <link>nas</link>.',
  };

  it('accepts a complete one', () => expect(catalogProblems('pl', polish, source)).toEqual([]));

  it.each<[string, Record<string, string | undefined>, string]>([
    ['a missing text', { hello: undefined }, 'hello is missing'],
    ['an empty text', { hello: ' ' }, 'hello is missing'],
    ['an unknown text', { bye: 'Pa' }, 'bye is not in en.json'],
    ['another value', { hello: 'Cześć {nazwa}' }, 'hello has the values nazwa instead of name'],
    ['a value too few', { hello: 'Cześć' }, 'hello has the values none instead of name'],
    ['a lost tag', { help: 'Zapytaj nas.' }, 'help has the values none instead of <link>'],
    ['a missing plural', { files: '{count, plural, one {# plik} few {# pliki} other {# pliku}}' }, 'files has no text for many'],
    ['invalid syntax', { hello: 'Cześć {name' }, 'hello is not a valid message'],
  ])('reports %s', (_, change, problem) => {
    const changed = Object.fromEntries(Object.entries({ ...polish, ...change }).filter(([, text]) => text !== undefined));
    expect(catalogProblems('pl', changed as Record<string, string>, source)).toEqual([expect.stringContaining(problem)]);
  });

  it('finds values and tags in plurals', () =>
    expect(placeholdersOf('{count, plural, one {<b>one</b> of {total}} other {# of {total}}}')).toEqual(['<b>', 'count', 'total']));
});

describe('translating', () => {
  const english = compileCatalog({
    files: '{count, plural, one {# file} other {# files}}',
    big: '{count, number}',
    hello: 'Hello {name}, it’s {place}’s turn',
  });

  it('inserts values, and picks the plural', () => {
    const t = createTranslator('en', english);
    expect([t('files', { count: 1 }), t('files', { count: 1200 })]).toEqual(['1 file', '1,200 files']);
    expect(t('hello', { name: 'Ada', place: '{name}' })).toBe('Hello Ada, it’s {name}’s turn');
  });

  it('uses the plurals and numbers of the language', () => {
    const t = createTranslator(
      'pl',
      compileCatalog({ files: '{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}' }),
    );
    expect([1, 3, 5, 22, 1.5].map((count) => t('files', { count }))).toEqual(['1 plik', '3 pliki', '5 plików', '22 pliki', '1,5 pliku']);
    expect(createTranslator('de', english)('big', { count: 12345.5 })).toBe('12.345,5');
  });

  it('isolates names in text from right to left', () => {
    const t = createTranslator('ar', compileCatalog({ hello: 'مرحبا {name}' }));
    expect(t('hello', { name: 'Ada (NC-1)' })).toBe('مرحبا \u2068Ada (NC-1)\u2069');
  });

  it('splits texts with tags', () => {
    expect(splitTags('Reply, or <link>open a ticket</link>.')).toEqual([
      { tag: undefined, text: 'Reply, or ' },
      { tag: 'link', text: 'open a ticket' },
      { tag: undefined, text: '.' },
    ]);
    expect(splitTags('1 < 2')).toEqual([{ tag: undefined, text: '1 < 2' }]);
  });

  it('gives services a translator for each part and language', () => {
    expect(translator('portal', 'de').language).toBe('de');
    expect(translator('portal', 'pt-BR')).not.toBe(translator('portal', 'pt-BR'));
  });
});

describe('an organization’s own wording', () => {
  const source = { hello: 'Hello {name}', bye: 'Bye', files: '{count, plural, one {# file} other {# files}}' };

  it('replaces texts, and may leave out values', () => {
    const own = compileWording({ hello: 'Hi', bye: 'See you' }, compileCatalog(source));
    const t = createTranslator('en', { ...compileCatalog(source), ...own });
    expect([t('hello', { name: 'Ada' }), t('bye'), t('files', { count: 1 })]).toEqual(['Hi', 'See you', '1 file']);
  });

  it.each([
    ['hello', 'Hi {name', 'invalid'],
    ['hello', 'Hi {surname}', 'unknown_value'],
    ['files', '{count, plural, one {x}}', 'invalid'],
    ['bye', 'Go <link>away</link>', 'unknown_value'],
  ] as const)('is ignored for %s if it is %j', (key, text, problem) => {
    expect(wordingProblem(text, source[key])).toBe(problem);
    expect(compileWording({ [key]: text }, compileCatalog(source))).toEqual({});
  });

  it('is ignored if it is empty, or if the text no longer exists', () =>
    expect(compileWording({ hello: ' ', gone: 'Text' }, compileCatalog(source))).toEqual({}));
});
