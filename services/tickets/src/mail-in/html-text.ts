import { compile, type FormatCallback } from 'html-to-text';
import { boundedHtml } from './html-bounds';

/** Stands in the text where a mail program began to quote: in Unicode's private part, taken out of every mail before (`clean.ts`). */
export const quoteMark = '\ue000';

const limits = { maxDepth: 600, maxChildNodes: 20_000, ellipsis: '' };

const marked: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addLiteral(quoteMark);
  builder.closeBlock({ trailingLineBreaks: 1 });
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};
const quoted: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1, reservedLineLength: 2 });
  walk(element.children, builder);
  builder.closeBlock({
    trailingLineBreaks: 1,
    blockTransform: (text) =>
      text
        .split('\n')
        .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`))
        .join('\n'),
  });
};

/** Where mail programs begin what they quote: Gmail, Outlook (web, desktop, old), Yahoo, Proton, Thunderbird, Zimbra. */
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

const read = compile({
  wordwrap: false,
  limits,
  formatters: { marked, quoted },
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
    { selector: 'ul', options: { itemPrefix: '- ' } },
    { selector: 'blockquote', format: 'quoted' },
    ...quoteSelectors.map((selector) => ({ selector, format: 'marked' })),
  ],
});

/** An HTML part as text: links as `text (address)`, no pictures, quotes behind `>`, and `quoteMark` where a program began to quote. */
export function markedText(html: string): string {
  return read(boundedHtml(html).replace(/\ue000/g, ''))
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The same without marks. */
export const withoutMarks = (text: string): string =>
  text
    .replace(/\n*^\ue000$\n?/gm, '\n')
    .replace(/\ue000/g, '')
    .trim();
