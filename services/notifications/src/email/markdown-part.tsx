import { renderMarkdown, type MarkdownTag } from '@tandem/contracts/values';
import { createElement, Fragment, type CSSProperties, type ReactNode } from 'react';
import { directionOf } from '@tandem/contracts';
import type { EmailTexts } from './email-content';
import { fixedSpaces, plainText, sentenceText } from './text';

const wrapping = { wordBreak: 'break-word' } as const;
const text: CSSProperties = { margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: '#1B2226', ...wrapping };
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace";
const code: CSSProperties = { fontFamily: mono, fontSize: '14px' };

/** Inline, because mail clients drop style sheets. The classes are for the dark colors. */
const looksFor = (start: 'Left' | 'Right'): Partial<Record<MarkdownTag, { style: CSSProperties; className?: string }>> => ({
  p: { style: text, className: 'ink' },
  ul: { style: { ...text, [`padding${start}`]: '24px' }, className: 'ink' },
  ol: { style: { ...text, [`padding${start}`]: '24px' }, className: 'ink' },
  li: { style: { margin: '0 0 4px' } },
  blockquote: { style: { margin: '0 0 16px', [`padding${start}`]: '12px', [`border${start}`]: '3px solid #DDE3E6' }, className: 'rule' },
  pre: {
    style: { ...text, ...code, padding: '10px 12px', border: '1px solid #DDE3E6', borderRadius: '6px', whiteSpace: 'pre-wrap' },
    className: 'ink rule',
  },
  code: { style: code },
});
const looks = { ltr: looksFor('Left'), rtl: looksFor('Right') };
const directed = new Set<MarkdownTag>(['p', 'ul', 'ol', 'blockquote']);

/** Line breaks as elements: not every mail client keeps those of the text. A space between two parts of a line can end the line. */
const withBreaks = (lines: string, isFirst: boolean): ReactNode =>
  lines.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {index > 0 || isFirst ? fixedSpaces(line) : line}
    </Fragment>
  ));

interface MarkdownPartProps {
  markdown: string;
  /** The names of the attached files. */
  files: string[];
  /** The color of links, and the page that shows the files. */
  link: string;
  page: string | undefined;
  texts: EmailTexts;
}

/** A reply of staff. Emails contain no pictures of it: a picture is a link to the ticket's page, which shows it. */
export const MarkdownPart = ({ markdown, files, link, page, texts }: MarkdownPartProps) => (
  <>
    {renderMarkdown<ReactNode>(plainText(markdown), {
      element: (tag, key, children, attributes) =>
        createElement(
          tag,
          {
            key,
            ...attributes,
            ...looks[directionOf(texts.language)][tag],
            ...(tag === 'a' ? { className: 'link', style: { color: link, textDecoration: 'underline' } } : {}),
            ...(directed.has(tag) ? { dir: 'auto' } : {}),
          },
          ...children,
        ),
      text: (each, key, tag) => <Fragment key={key}>{tag === 'pre' ? each : withBreaks(each, key === 0)}</Fragment>,
      picture: (file, alt, key) =>
        page !== undefined && files.includes(file) ? (
          <a key={key} className="link" href={page} style={{ color: link, textDecoration: 'underline' }}>
            {sentenceText(texts('reply.picture', { name: alt || file }))}
          </a>
        ) : (
          <Fragment key={key}>{`[${alt || file}]`}</Fragment>
        ),
    })}
  </>
);
