import { articleLimits, ArticleSummary, attachmentRules, type Article, type Comment, type Ticket } from '@tandem/contracts';
import { isDeepStrictEqual } from 'node:util';
import type { ArticleRow } from '../schema';

export const summaryOf = (article: Article): ArticleSummary => ArticleSummary.parse(article);

/** The members of a patch that differ from the article. */
export const effectiveChanges = <Patch extends Partial<ArticleRow>>(before: ArticleRow, patch: Patch): Partial<Patch> =>
  Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => value !== undefined && !isDeepStrictEqual(before[name as keyof ArticleRow], value)),
  ) as Partial<Patch>;

/** A name that no other picture of the article has, because its text names them: `cup.png`, then `cup-2.png`. */
export function uniqueFileName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  const dot = wanted.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ''];
  for (let n = 2; ; n += 1) {
    const suffix = `-${n}${ending}`;
    const name = `${stem.slice(0, attachmentRules.maxNameLength - suffix.length).toWellFormed()}${suffix}`;
    if (!taken.includes(name)) return name;
  }
}

// ---- the draft of an article from a ticket ------------------------------------------------------------------------

type Question = Pick<Ticket, 'ticket_number' | 'subject' | 'description' | 'customer_name' | 'customer_email' | 'cc'>;

/** What replaces names and addresses of the customer where the sentence would be incomplete without them. */
const gap = '…';

/**
 * The title and text of an article about a ticket: its description as a quote, then the replies. The customer's name and the email addresses
 * of the ticket are removed. Pictures of comments are left out, because they belong to their comments.
 */
export function draftFromTicket(ticket: Question, replies: readonly Pick<Comment, 'content'>[]): Pick<Article, 'title' | 'body'> {
  const clean = (text: string) => withoutCustomer(withoutPictures(text.normalize('NFC')), ticket).trim();
  const question = clean(ticket.description ?? '');
  const sections = [...(question ? [quoted(question)] : []), ...replies.map(({ content }) => clean(content))].filter(Boolean);
  const title = shortened(clean(ticket.subject).replace(/\s+/g, ' '), articleLimits.title);
  return {
    title: /[\p{L}\p{N}]/u.test(title) ? title : `Ticket ${ticket.ticket_number}`,
    body: shortened(sections.join('\n\n'), articleLimits.body),
  };
}

const quoted = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

const withoutPictures = (text: string): string => text.replace(/!\[[^\]]*\]\([^)\s]*\)[ \t]*/g, '');

const shortened = (text: string, max: number): string =>
  text.length <= max
    ? text
    : `${text
        .slice(0, max - 1)
        .toWellFormed()
        .trimEnd()}${gap}`;

/** The text without the email addresses of the ticket, and without the customer's full, first and last name. */
export function withoutCustomer(text: string, ticket: Pick<Question, 'customer_name' | 'customer_email' | 'cc'>): string {
  const addresses = [ticket.customer_email, ...ticket.cc].map(escaped);
  const withoutAddresses = text.replace(new RegExp(`(?<![\\p{L}\\p{N}._%+-])(?:${addresses.join('|')})(?![\\p{L}\\p{N}-])`, 'giu'), gap);
  const names = namesOf(ticket.customer_name);
  if (names.length === 0) return withoutAddresses;
  const name = `(?<![\\p{L}\\p{N}_])(?:${names.join('|')})(?![\\p{L}\\p{N}_])`;
  return (
    withoutAddresses
      // 'Hi Carla,' becomes 'Hi,'.
      .replace(new RegExp(`[ \\t]+${name}(?=[ \\t]*(?:[,.;:!?]|$))`, 'gimu'), '')
      .replace(new RegExp(name, 'giu'), gap)
  );
}

/** Patterns of the names, the longest first. Shorter names than three letters are parts of too many texts. */
function namesOf(customer_name: string | null): string[] {
  const words = (customer_name ?? '').normalize('NFC').trim().split(/\s+/);
  return [words, words.slice(0, 1), words.slice(-1)]
    .filter((name) => name.join('').length >= 3)
    .map((name) => name.map(escaped).join('\\s+'));
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
