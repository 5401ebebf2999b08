import { escapeMarkdown, unescapeMarkdown } from '../markdown';

/**
 * GitHub detects people, issues and emoji in the rendered text, so escaping does not prevent it. A zero-width space does: a customer who
 * writes `@name` must not cause a notification of the ticket on GitHub.
 */
const gap = '&#8203;';
const neutral = (escaped: string): string =>
  escaped
    .replace(/(?<![A-Za-z0-9])@(?=[A-Za-z0-9])/g, `@${gap}`)
    .replace(/\\#(?=\d)/g, `\\#${gap}`)
    .replace(/\bGH-(?=\d)/gi, (found) => found + gap)
    .replace(/:(?=[\w+\\-]+:)/g, `:${gap}`);

/** GitHub's API refuses longer issues and comments with "body is too long (maximum is 65536 characters)"; for titles the maximum is 256. */
export const limits = {
  title: { most: 256, unit: 'characters' },
  description: { most: 65_536, unit: 'characters' },
  comment: { most: 65_536, unit: 'characters' },
} as const;

/** In issues and comments a single newline is a line break. */
export const lineEnd = '\n';
export const escapeText = (text: string): string => escapeMarkdown(text, lineEnd, neutral);

/** GitHub returns the Markdown source. */
export const readText = (markdown: string): string => unescapeMarkdown(markdown.replace(/\r\n?/g, '\n').replace(/(?<!\\)&#8203;/g, ''));
