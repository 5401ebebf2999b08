import { boundedHtml } from './html-bounds';
import { markedText } from './html-text';
import { safeHtml } from './html';
import { parseMail } from './parse';
import { splitMarked } from './quotes';

/** Repeats `piece` up to `length` characters. */
const row = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

type Make = (length: number) => string;
const nested = (tags: string) => (length: number) => `${tags.repeat(240)}<pre>${row('a\n', length)}x`;
const hostileHtml: Record<string, Make> = {
  'no-break spaces before a letter': (length) => `<p>${row('\u00a0', length)}x`,
  'the same as entities': (length) => `<p>${row('&nbsp;', length)}x`,
  'blanks in pre': (length) => `<pre>${row(' \n', length)}x`,
  '<': (length) => row('<', length),
  '&': (length) => row('&', length),
  '>': (length) => row('>', length),
  'open comments': (length) => row('<!--', length),
  'an open end': (length) => `</p${row(' ', length)}`,
  attributes: (length) => `<p ${Array.from({ length: length / 10 }, (_, at) => `a${at}=""`).join(' ')}>x`,
  'a long style': (length) => `<p style="${row('color:red;', length)}">x`,
  'open brackets of styles': (length) => `<p style="${row('a{', length)}">x`,
  'a style of blanks': (length) => `<p style="color:${row(' ', length)}x">x`,
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
  'blanks before a sign': (length) => `a\n${row(' ', length)}x\n> b`,
  'lines of telephones': (length) => `a\n${row('Sent from my phone\n', length)}`,
  heads: (length) => row('From: a\nTo: b\nDate: c\n', length),
};

/** CPU time in milliseconds, the minimum of three runs, to reduce the influence of other load. */
async function cost(work: () => unknown): Promise<number> {
  const times = [];
  for (let run = 0; run < 3; run++) {
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}

/**
 * Doubling the input may double the time, but not quadruple it. Shorter times are not compared, because they are mostly garbage collection;
 * even if quadrupled, they would stay below a second at the length at which HTML is truncated.
 */
const negligibleMs = 300;
async function expectLinear(work: (length: number) => unknown, length: number): Promise<void> {
  const twice = await cost(() => work(length * 2));
  if (twice < negligibleMs) return;
  const ratio = twice / (await cost(() => work(length)));
  expect(ratio).toBeLessThan(3);
}

/** Both lengths exceed the limits at which HTML and sanitized output are truncated, so that no limit lies between them. */
const shorter = 140_000;
describe.each(Object.entries(hostileHtml))('HTML of %s', (_, make) => {
  const of = (read: (html: string) => unknown) => {
    const made = new Map([shorter, shorter * 2].map((length) => [length, make(length)]));
    return expectLinear((length) => read(made.get(length)!), shorter);
  };
  it('is read as text in time that grows with its length', () => of(markedText), 60_000);
  it('is made safe in time that grows with its length', () => of((html) => safeHtml(html, [])), 60_000);
});

it.each(Object.entries(hostileText))('a text of %s is split in time that grows with its length', (_, make) => {
  const made = new Map([100_000, 200_000].map((length) => [length, make(length)]));
  return expectLinear((length) => splitMarked(made.get(length)!, undefined, false), 100_000);
});

it.each<[string, Make]>([
  ['quotes in a name', (length) => `From: ${row("'", length)}x <a@example.com>`],
  ['blanks in a subject', (length) => `Subject: ${row('\t', length)}:`],
  ['open brackets', (length) => `References: ${row('<', length)}\r\nFrom: ${row('(', length)}`],
  ['a recipient that failed', (length) => `X-Failed-Recipients: ${row('a', length)}`],
  ['groups', (length) => `To: ${row('a:', length)}`],
])('a head with %s is read in time that grows with its length', (_, make) =>
  expectLinear((length) => parseMail(Buffer.from(`${make(length)}\r\n\r\nx`)), 100_000),
);

it('a list that begins with a number that no numeral has is counted in digits', () => {
  for (const start of ['1e300', '999999999999', '-5', 'x', ''])
    expect(markedText(`<ol type="I" start="${start}"><li>first</ol>`)).toContain('first');
  expect(markedText(`<ol type="I">${'<li>one'.repeat(12_000)}</ol>`)).toContain('12000. one');
  expect(markedText('<ol type="I" start="4"><li>first</ol>')).toBe('IV. first');
});

it('HTML is looked at up to so many tags, whatever they are in', () => {
  const cell = '<td>a</td>';
  const kept = boundedHtml(`<table>${cell.repeat(40_000)}`);
  expect(kept.length).toBeLessThan(cell.length * 15_001);
  expect(boundedHtml(cell.repeat(10_000))).toBe(cell.repeat(10_000));
});
