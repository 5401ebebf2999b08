import { escapeMarkdown, unescapeMarkdown } from '../markdown';

/**
 * GitHub looks through the finished text for people, issues and emoji, so that escaping does not keep it from them. A space without width does, and
 * nobody is told of a ticket because a customer wrote `@name`.
 */
const gap = '&#8203;';
const neutral = (escaped: string): string =>
  escaped
    .replace(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9])/g, `@${gap}`)
    .replace(/\\#(?=\d)/g, `\\#${gap}`)
    .replace(/\bGH-(?=\d)/gi, (found) => found + gap)
    .replace(/:(?=[\w+\\-]+:)/g, `:${gap}`);

/** "body is too long (maximum is 65536 characters)": its API says so of issues and comments; of titles, 256. */
export const limits = {
  title: { most: 256, unit: 'characters' },
  description: { most: 65_536, unit: 'characters' },
  comment: { most: 65_536, unit: 'characters' },
} as const;

/** In issues and comments a line's end is one. */
export const lineEnd = '\n';
export const escapeText = (text: string): string => escapeMarkdown(text, lineEnd, neutral);

/** GitHub hands out the Markdown itself. */
export const readText = (markdown: string): string => unescapeMarkdown(markdown.replace(/\r\n?/g, '\n').replace(/(?<!\\)&#8203;/g, ''));
