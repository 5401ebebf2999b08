import { renderMarkdown, type MarkdownAttributes, type MarkdownTag } from '@tandem/contracts/values';
import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import { cn } from './cn';

/** The styles of formatted text. */
export const markdownLook = [
  'flex flex-col gap-2 [overflow-wrap:anywhere] [&_p]:whitespace-pre-wrap [&_li]:whitespace-pre-wrap',
  '[&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-2',
  '[&_ul]:list-disc [&_ol]:list-decimal [&_ul]:ps-5 [&_ol]:ps-6 [&_li>*:not(a,strong,em,s,code)]:mt-1 [&_li+li]:mt-0.5',
  '[&_blockquote]:flex [&_blockquote]:flex-col [&_blockquote]:gap-2 [&_blockquote]:border-s-2 [&_blockquote]:border-line-strong',
  '[&_blockquote]:ps-3 [&_blockquote]:text-muted',
  '[&_code]:rounded-xs [&_code]:bg-hover [&_code]:px-1 [&_code]:py-px [&_code]:font-mono [&_code]:text-[0.92em]',
  '[&_pre]:rounded-md [&_pre]:bg-hover [&_pre]:px-3 [&_pre]:py-2 [&_pre]:whitespace-pre-wrap [&_pre>code]:bg-transparent [&_pre>code]:p-0',
].join(' ');

const linkAttributes = { target: '_blank', rel: 'noopener noreferrer nofollow' };
/** Each part has its own direction: an answer may quote an Arabic sentence in an English one. */
const directed = new Set(['p', 'li', 'blockquote']);

export const markdownElement = (tag: MarkdownTag, key: string | number, children: ReactNode[], attributes: MarkdownAttributes): ReactNode =>
  createElement(
    tag,
    { key, ...attributes, ...(tag === 'a' ? linkAttributes : {}), ...(directed.has(tag) ? { dir: 'auto' } : {}) },
    ...children,
  );

interface MarkdownProps {
  text: string;
  /** Shows a text that is neither a link nor code, such as the mentions in it. */
  renderText?: (text: string) => ReactNode;
  /** Shows a picture among the files of the comment; undefined if there is none of this name. */
  picture?: (file: string, alt: string) => ReactNode;
  className?: string;
}

/** A comment of staff. Its Markdown becomes elements, never HTML, so that it cannot contain scripts. */
export function Markdown({ text, renderText, picture, className }: MarkdownProps) {
  const elements = useMemo(
    () =>
      renderMarkdown<ReactNode>(text, {
        element: markdownElement,
        text: (each, key, tag) =>
          renderText && tag !== 'a' && tag !== 'code' && tag !== 'pre' ? <Fragment key={key}>{renderText(each)}</Fragment> : each,
        picture: (file, alt, key) => <Fragment key={key}>{picture?.(file, alt) ?? `[${alt || file}]`}</Fragment>,
      }),
    [text, renderText, picture],
  );
  return <div className={cn(markdownLook, className)}>{elements}</div>;
}
