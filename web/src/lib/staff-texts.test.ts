import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { parseAst } from 'rolldown/parseAst';
import { TextProblem, withMessages } from '../../inline-texts';
import { formatMessage, type CompiledMessage } from './format-message';

const texts: Record<string, string> = {
  save: 'Save “all”',
  hello: 'Hello {name}, it’s {place}’s `turn`',
  files: '{count, plural, =0 {no file} one {# file of {total}} other {# files of {total}}}',
};
const compile = (message: string) => compileMessageOrThrow(message) as CompiledMessage;

describe('formatting a message', () => {
  it.each([
    [{ count: 0, total: 1200 }, 'no file'],
    [{ count: 1, total: 1200 }, '1 file of 1200'],
    [{ count: 1200, total: 'all' }, '1,200 files of all'],
  ])('has the plural of %j', (values, text) => expect(formatMessage(compile(texts.files!), values)).toBe(text));

  it('formats numbers and chooses by value', () => {
    expect(formatMessage(compile('{count, number} {kind, select, task {tasks} other {things}}'), { count: 12345, kind: 'task' })).toBe(
      '12,345 tasks',
    );
    expect(formatMessage(compile('{kind, select, task {tasks} other {things}}'), { kind: 'note' })).toBe('things');
  });
});

describe('replacing the calls of `t`', () => {
  const inline = (code: string) =>
    withMessages(code, parseAst(code, { lang: 'tsx' }), ({ key }) => {
      if (texts[key] === undefined) throw new TextProblem(`there is no text ${key}`);
      return compile(texts[key]);
    });

  it('leaves the text of a message without values, and no import', () =>
    expect(inline(`import { t } from '../lib/staff-texts';\nexport const A = () => <p>{t('save')}</p>;`)).toBe(
      `\nexport const A = () => <p>{"Save “all”"}</p>;`,
    ));

  it('puts values into a template, with the calls inside of them', () =>
    expect(inline("t('hello', { name, place: t('save').trim() })")).toBe('`Hello ${name}, it’s ${"Save “all”".trim()}’s \\`turn\\``'));

  it('imports the formatter for plurals', () => {
    const code = inline(`import { t } from './staff-texts';\nt('files', { count: 1, total: t('save') });`);
    expect(code).toContain(`import { formatMessage } from './format-message';`);
    expect(code).toMatch(/formatMessage\(\[\["count","plural",.*\]\], \{ count: 1, total: "Save “all”" \}\);$/);
  });

  it.each([
    ['t(key)', 'must be a literal'],
    ["t('hello', values)", 'must be an object literal'],
    ["t('hello', { ...values })", 'must be an object literal'],
    ["t('gone')", 'there is no text gone'],
  ])('refuses %s', (code, problem) => expect(() => inline(code)).toThrow(problem));
});
