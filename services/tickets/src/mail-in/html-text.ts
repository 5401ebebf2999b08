import { compile, type FormatCallback } from 'html-to-text';
import { boundedHtml } from './html-bounds';

/** Marks where a mail program started its quote. A private-use character, which is first removed from every email (also in `clean.ts`). */
export const quoteMarker = '\ue000';

const limits = { maxDepth: 600, maxChildNodes: 20_000, ellipsis: '' };

const marked: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addLiteral(quoteMarker);
  builder.closeBlock({ trailingLineBreaks: 1 });
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};
/** Maximum nesting of quotes and lists, because each level adds a prefix to all lines inside it. */
const maxIndented = 10;
let indented = 0;
/** Wraps a formatter: beyond the maximum nesting, only the children are formatted. Formatting is synchronous, so one counter suffices. */
const bounded =
  (format: FormatCallback): FormatCallback =>
  (element, walk, builder, options) => {
    if (indented >= maxIndented) return walk(element.children, builder);
    indented++;
    try {
      format(element, walk, builder, options);
    } finally {
      indented--;
    }
  };
/** One of the library's built-in formatters. It is available on the builder, but missing in the type declarations. */
const usual =
  (name: string): FormatCallback =>
  (element, walk, builder, options) =>
    (builder as unknown as { options: { formatters: Record<string, FormatCallback> } }).options.formatters[name]!(
      element,
      walk,
      builder,
      options,
    );
/** The largest number that the library can write in Roman numerals; far larger ones make it throw. */
const maxRoman = 3_999;
const numbered: FormatCallback = (element, ...rest) => {
  const attributes = element.attribs as Record<string, string>;
  const start = Number(attributes.start ?? '1');
  const attribs = start >= 1 && start + element.children.length <= maxRoman ? attributes : {};
  usual('orderedList')(Object.assign(element, { attribs }), ...rest);
};
const quoted: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1, reservedLineLength: 2 });
  walk(element.children, builder);
  builder.closeBlock({
    trailingLineBreaks: 1,
    blockTransform: (text) =>
      text
        .replace(/\n{3,}/g, '\n\n')
        .split('\n')
        .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`))
        .join('\n'),
  });
};

/** Elements with which mail programs start a quote: Gmail, Outlook (web, desktop, old), Yahoo, Proton, Thunderbird, Zimbra. */
export const quoteSelectors = [
  'div.gmail_quote',
  'div.gmail_quote_container',
  'div#divRplyFwdMsg',
  'div#appendonsend',
  'div.yahoo_quoted',
  'div.protonmail_quote',
  'div.moz-cite-prefix',
  'div.OutlookMessageHeader',
  'table.OutlookMessageHeader',
  'div#mail-editor-reference-message-container',
  'div#isForwardContent',
  'div[data-marker="__QUOTED_TEXT__"]',
  'div#reply-intro',
  'div[style*="border-top:solid #E1E1E1 1.0pt"]',
  'div[style*="border-top:solid #B5C4DF 1.0pt"]',
  'div[style*="border-top: 1pt solid rgb(225, 225, 225)"]',
];

const converter = () =>
  compile({
    wordwrap: false,
    limits,
    formatters: { marked, quoted: bounded(quoted), bullets: bounded(usual('unorderedList')), numbers: bounded(numbered) },
    selectors: [
      { selector: 'a', options: { linkBrackets: ['(', ')'], hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'style', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'title', format: 'skip' },
      { selector: 'template', format: 'skip' },
      { selector: 'hr', format: 'lineBreak' },
      { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'ul', format: 'bullets', options: { itemPrefix: '- ' } },
      { selector: 'ol', format: 'numbers' },
      { selector: 'blockquote', format: 'quoted' },
      ...quoteSelectors.map((selector) => ({ selector, format: 'marked' })),
    ],
  });

let convert: ReturnType<typeof converter> | undefined;

/** Converts an HTML part to text: links as `text (address)`, no images, quotes prefixed with `>`, and `quoteMarker` where a quote starts. */
export function textWithMarkers(html: string): string {
  // Not at the start of the process, where compiling takes 50 ms: emails are read in a thread, and imports are rare.
  convert ??= converter();
  return convert(boundedHtml(html).replace(/\ue000/g, ''))
    .replace(/\u00a0/g, ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Removes the quote markers. */
export const stripMarkers = (text: string): string =>
  text
    .replace(/\n*^\ue000$\n?/gm, '\n')
    .replace(/\ue000/g, '')
    .trim();
