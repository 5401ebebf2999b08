import { runWithKillLimit } from '@tandem/testing';
import { boundedHtml } from './html-bounds';
import { textWithMarkers } from './html-text';
import { safeHtml } from './html';
import { parseMail } from './parse';
import { UnreadableMail } from './parsed-mail';
import { splitMarked } from './quotes';

/** Repeats `piece` up to `length` characters. */
const row = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

type Make = (length: number) => string;
function unlessUnreadable(error: unknown): void {
  if (!(error instanceof UnreadableMail)) throw error;
}
const nested = (tags: string) => (length: number) => `${tags.repeat(240)}<pre>${row('a\n', length)}x`;
const hostileHtml: Record<string, Make> = {
  'no-break spaces before a letter': (length) => `<p>${row('\u00a0', length)}x`,
  'the same as entities': (length) => `<p>${row('&nbsp;', length)}x`,
  'spaces in pre': (length) => `<pre>${row(' \n', length)}x`,
  '<': (length) => row('<', length),
  '&': (length) => row('&', length),
  '>': (length) => row('>', length),
  'open comments': (length) => row('<!--', length),
  'an open end': (length) => `</p${row(' ', length)}`,
  attributes: (length) => `<p ${Array.from({ length: length / 10 }, (_, at) => `a${at}=""`).join(' ')}>x`,
  'a long style': (length) => `<p style="${row('color:red;', length)}">x`,
  'open brackets of styles': (length) => `<p style="${row('a{', length)}">x`,
  'a style of spaces': (length) => `<p style="color:${row(' ', length)}x">x`,
  'tags whose ends may be missing': (length) => row('<p><td>', length),
  'more of them': (length) => row('<dd><p>', length),
  'ends in comments': (length) => row('<div><!--</div>-->', length),
  'ends in attributes': (length) => row('<div a="</div>">', length),
  'ends of nothing below many tags': (length) => `${row('<p><td>', length / 2)}${row('</q>', length / 2)}`,
  'lines in quotes in quotes': nested('<blockquote>'),
  'lines in lists in lists': nested('<ul><li>'),
  'lines in numbered lists': nested('<ol><li>'),
  'empty quotes': (length) => row('<blockquote></blockquote>', length),
};
const hostileText: Record<string, Make> = {
  attributions: (length) => row('On Mon, 1 Jan 2026 Ada wrote:\n', length),
  'half attributions': (length) => row('On Mon, 1\n', length),
  'words of attributions': (length) => row(`on ${'wrote'.repeat(30)}${' '.repeat(200)}1:\n`, length),
  'dashes of attributions': (length) => row(`on ${'wrote '.repeat(25)}${'-'.repeat(200)}1:\n`, length),
  'quote signs': (length) => row('>', length),
  'quoted lines': (length) => `a\n${row('> x\n', length)}`,
  dashes: (length) => row('-', length),
  underscores: (length) => `a\n${row('_', length)}x\n> b`,
  'spaces before a quote sign': (length) => `a\n${row(' ', length)}x\n> b`,
  'lines of telephones': (length) => `a\n${row('Sent from my phone\n', length)}`,
  heads: (length) => row('From: a\nTo: b\nDate: c\n', length),
};

/** Long enough that quadratic work would take minutes, regardless of the limit at which the reader truncates. */
const length = 1_000_000;

describe.each(Object.entries(hostileHtml))('HTML of %s', (_, make) => {
  it('is read as text before the kill limit', () => expect(runWithKillLimit(() => textWithMarkers(make(length)))).toBeDefined());
  it('is made safe before the kill limit', () => expect(runWithKillLimit(() => safeHtml(make(length), []))).toBeDefined());
});

it.each(Object.entries(hostileText))('a text of %s is split before the kill limit', (_, make) =>
  expect(runWithKillLimit(() => splitMarked(make(length), undefined, false))).toBeDefined(),
);

it.each<[string, Make]>([
  ['quotes in a name', (length) => `From: ${row("'", length)}x <a@example.com>`],
  ['tabs in a subject', (length) => `Subject: ${row('\t', length)}:`],
  ['open brackets', (length) => `References: ${row('<', length)}\r\nFrom: ${row('(', length)}`],
  ['a recipient that failed', (length) => `X-Failed-Recipients: ${row('a', length)}`],
  ['groups', (length) => `To: ${row('a:', length)}`],
])('a head with %s is read', async (_, make) => {
  // Asynchronous, so it cannot be ended: quadratic work on this length would exceed the time that Jest allows for the whole test.
  await parseMail(Buffer.from(`${make(length)}\r\n\r\nx`)).catch(unlessUnreadable);
});

it('a list that begins with a number that no numeral has is counted in digits', () => {
  for (const start of ['1e300', '999999999999', '-5', 'x', ''])
    expect(textWithMarkers(`<ol type="I" start="${start}"><li>first</ol>`)).toContain('first');
  expect(textWithMarkers(`<ol type="I">${'<li>one'.repeat(12_000)}</ol>`)).toContain('12000. one');
  expect(textWithMarkers('<ol type="I" start="4"><li>first</ol>')).toBe('IV. first');
});

it('HTML is read up to a maximum number of tags, even inside a table', () => {
  const cell = '<td>a</td>';
  const kept = boundedHtml(`<table>${cell.repeat(40_000)}`);
  expect(kept.length).toBeLessThan(cell.length * 15_001);
  expect(boundedHtml(cell.repeat(10_000))).toBe(cell.repeat(10_000));
});
