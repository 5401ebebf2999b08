import { parseMarkdown } from '@tandem/contracts/values';
import { runWithKillLimit } from '@tandem/testing';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MarkdownPart } from './markdown-part';
import { englishTexts } from './render-content';

describe('hostile Markdown', () => {
  const size = 100_000;
  const depthOf = (node: unknown): number =>
    node !== null && typeof node === 'object' ? 1 + Math.max(0, ...Object.values(node).map(depthOf)) : 0;
  const repeated = (part: string) => part.repeat(size / part.length);
  const inputs = [
    ...[
      '>',
      '> ',
      '- ',
      '1. ',
      '*',
      '*a ',
      '**a ',
      '*a _b ',
      '_',
      '~~a ',
      '[',
      '![',
      ']',
      '[a](',
      '[a](b',
      '](',
      '`',
      '`a``',
      '<',
      '<a ',
      '\\',
    ],
    ...[
      'http://',
      'h',
      'https://a.',
      'a@',
      '#',
      '# ',
      '\n',
      '- a\n',
      '- a\n\n',
      '> a\n',
      '```\n',
      '~~~\n',
      '1. a\n',
      '![a](b)',
      '[a](http://b)',
    ],
    ...['<b>', '*a**b', '[*a](http://b) ', ' ', '\t', '-', '- a\n  ', '"', '[a](http://b "', '\u202e'],
  ].map(repeated);
  const nested = [
    Array.from({ length: 10_000 }, (_, depth) => `${'>'.repeat(Math.min(depth, 50))} a`).join('\n'),
    Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
    `${'*'.repeat(size / 2)}a${'*'.repeat(size / 2)}`,
    `${'['.repeat(10_000)}a${'](http://b)'.repeat(10_000)}`,
    `${'> '.repeat(10_000)}a`,
    Array.from({ length: 440 }, (_, count) => '`'.repeat(count)).join('a'),
  ];

  it.each([...inputs, ...nested].map((text) => [text.slice(0, 12), text]))(
    '%j repeated takes linear time and stays flat',
    (_name, text) => {
      const parsed = runWithKillLimit(() => parseMarkdown(text));
      expect(depthOf(parsed)).toBeLessThan(60);
    },
  );

  it.each(nested.map((text) => [text.slice(0, 12), text]))('%j is rendered without elements that Markdown does not have', (_name, text) => {
    const html = runWithKillLimit(() =>
      renderToStaticMarkup(
        createElement(MarkdownPart, { markdown: text, files: [], link: '#000', page: undefined, texts: englishTexts() }),
      ),
    );
    expect(html).not.toMatch(/<(?!\/?(?:p|a|br|ul|ol|li|pre|code|blockquote|strong|em|s)\b)/);
  });
});
