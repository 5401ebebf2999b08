import { hasMarker, isOurs } from '../sync/comment-text';
import { escapeText, readText } from './github/text';
import { escapeMarkdown, plainIndentation, unescapeMarkdown } from './markdown';
import { belowOwnLines, ownLinesHave, withoutOwnLines } from './own-lines';

const length = 200_000;
/** The shortest of several runs, to exclude the effect of other processes on this machine. */
function milliseconds(work: () => unknown): number {
  const tries = Array.from({ length: 2 }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return Math.min(...tries);
}

/** Texts of a given length that a customer or a user of the task tool may write. */
const texts: [string, (length: number) => string][] = [
  ['newlines', (length) => `x${'\n'.repeat(length)}x`],
  ['carriage returns', (length) => `x${'\r'.repeat(length)}x`],
  ['spaces', (length) => `x${' '.repeat(length)}x`],
  ['indentation', (length) => `${'\u00a0 '.repeat(length / 2)}x`],
  ['newlines and spaces', (length) => `x${'\n '.repeat(length / 2)}x`],
  ...['\\', '[', ']', '*', '_a', '`', '&', '&#', '@', '@a', ':', ':a', '#1', 'GH-', '<', 'https://', 'http://a', '\\#', '&#8203;', '-'].map(
    (piece): [string, (length: number) => string] => [piece, (length) => piece.repeat(Math.ceil(length / piece.length))],
  ),
  ['rules', (length) => '---\n'.repeat(length / 4)],
  ['our addresses', (length) => 'https://t/tickets/1-'.repeat(length / 20)],
  ['our label', (length) => 'Added by Tandem\n'.repeat(length / 16)],
  ['our mark', (length) => '— via Tandem · '.repeat(length / 15)],
];
const works: [string, (text: string) => unknown][] = [
  ['writing Markdown', (text) => escapeMarkdown(text, '  \n')],
  ['writing for GitHub', escapeText],
  ['reading Markdown', unescapeMarkdown],
  ['reading from GitHub', readText],
  ['reading indentation', plainIndentation],
  ['cutting our lines off', withoutOwnLines],
  ['reading below our lines', (text) => belowOwnLines(`Added by Tandem\n${text}`)],
  ['looking into our lines', (text) => ownLinesHave([text], '/tickets/1')],
  ['knowing our comments', isOurs],
  ['knowing one comment', (text) => hasMarker(text, '— via Tandem · A-1 · 00000000')],
];

describe.each(works)('%s', (_what, work) => {
  it.each(texts)('takes no more than its share of time for four times as many: %s', (_name, text) => {
    const [some, many] = [text(length / 4), text(length)];
    // Linear work takes four times as long, quadratic work sixteen times. Durations of a few milliseconds are too short to compare.
    const isLinear = () => milliseconds(() => work(many)) < Math.max(8 * milliseconds(() => work(some)), 100);
    expect(isLinear() || isLinear() || isLinear()).toBe(true);
  });
});
