import { runWithKillLimit } from '@tandem/testing';
import { hasMarker, isOurs } from '../merge/comment-text';
import { escapeText, readText } from './github/text';
import { escapeMarkdown, plainIndentation, unescapeMarkdown } from './markdown';
import { textBelowFooter, footerContains, withoutFooter } from './tandem-footer';

/** Long enough that one pass for each character would take minutes. */
const length = 1_000_000;

/** Text that a customer or a task tool user may write, of about this length. */
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
  ['cutting our lines off', withoutFooter],
  ['reading below our lines', (text) => textBelowFooter(`Added by Tandem\n${text}`)],
  ['looking into our lines', (text) => footerContains([text], '/tickets/1')],
  ['knowing our comments', isOurs],
  ['knowing one comment', (text) => hasMarker(text, '— via Tandem · A-1 · 00000000')],
];

describe.each(works)('%s', (_what, work) => {
  it.each(texts)('finishes before the kill limit: %s', (_name, text) => {
    const made = text(length);
    expect(() => runWithKillLimit(() => work(made))).not.toThrow();
  });
});
