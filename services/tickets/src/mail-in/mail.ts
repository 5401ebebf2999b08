import { createHash } from 'node:crypto';
import { attachmentRules, email, endingOf, isRefusedName, ticketLimits } from '@tandem/contracts';
import type { MailMarks } from '@tandem/platform';
import { safeFileName } from '../attachment/attachment';
import type { ParsedFile, ParsedMail } from './parsed-mail';

export const hourMs = 3_600_000;
/** `listInboundMails`: kept for 30 days. */
export const keptDays = 30;
export const repeatDays = 7;
export const pruneBatch = 500;
/** What one sender may do in an hour to one organization: a machine that writes by mistake must not bury a desk. */
export const rate = { mails: 60, tickets: 5 } as const;
/** From this many tickets on, opened by mail within these minutes, an organization confirms none: mails to forged senders would be ours. */
export const confirmed = { tickets: 60, minutes: 10 };
/** What may wait of one organization. */
export const waiting = { mails: 2_000, bytes: 500 * 1024 * 1024 };

/** What came of a sender in the hour before; `is_repeat`: this very mail is here already, by another way. */
export interface Passed {
  mails: number;
  tickets: number;
  is_repeat: boolean;
}

/** What stands in the envelope and of whom. */
export interface Envelope {
  organization_id: string;
  to_address: string;
  envelope_from: string;
}

const localPartOf = (address: string): string => address.slice(0, Math.max(0, address.lastIndexOf('@')));

export type Recipient = { for: 'anything' } | { for: 'ticket'; ticket_id: string } | { for: 'bounce'; email_id: string };

/** What an organization takes: `support`, and with a token what that token of its own names. Undefined: there is no such address. */
export function recipientOf(marks: MailMarks, organization_id: string, address: string): Recipient | undefined {
  const local = localPartOf(address).toLowerCase();
  if (local === 'support') return { for: 'anything' };
  const ticket_id = marks.ticketOf(organization_id, local);
  if (ticket_id !== undefined) return { for: 'ticket', ticket_id };
  const email_id = marks.bouncedMailOf(organization_id, local);
  return email_id === undefined ? undefined : { for: 'bounce', email_id };
}

/** Who wrote: the address in From, else the envelope's. Null where neither could be anybody's. */
export function senderOf(mail: ParsedMail, { envelope_from }: Envelope): string | null {
  const given = [mail.from?.address, envelope_from].find((address) => email().safeParse(address).success);
  return given === undefined ? null : email().parse(given);
}

/** The mailbox of an address in one spelling: a `+tag` makes no other sender. The rule of `canonicalMailbox` in the gateway's limits. */
export function mailboxOf(address: string): string {
  const plain = address.trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  return at < 0 ? plain : `${plain.slice(0, at).replace(/\+.*$/s, '')}${plain.slice(at)}`;
}

export type FirstLook =
  | { as: 'ignored' | 'refused'; reason: string }
  | { as: 'bounce'; email_id: string; address: string | null; permanent: boolean; status: string | null; diagnostic: string | null }
  | { as: 'words'; sender: string; automatic: boolean };

/** A machine that answers to the envelope's sender: it tells of a holiday, not of a mail that did not arrive. */
const answersByMachine = (mail: ParsedMail): boolean => mail.bounce === null && mail.automatic !== null;

/** What a mail is, before anybody looks for its ticket. Our own mails that come back end here: no loop passes. */
export function firstLook(mail: ParsedMail, envelope: Envelope, marks: MailMarks, domain: string): FirstLook {
  const sender = senderOf(mail, envelope);
  if (mail.loop !== null || (sender !== null && isOurs(sender, domain))) return { as: 'ignored', reason: 'loop' };
  const recipient = recipientOf(marks, envelope.organization_id, envelope.to_address);
  if (mail.bounce !== null || (recipient?.for === 'bounce' && !answersByMachine(mail))) return bounceOf(mail, recipient, marks);
  if (recipient?.for === 'bounce') return { as: 'ignored', reason: 'automatic' };
  if (sender === null) return { as: 'refused', reason: 'no_sender' };
  return { as: 'words', sender, automatic: mail.automatic !== null };
}

function isOurs(address: string, domain: string): boolean {
  const host = address.slice(address.lastIndexOf('@') + 1);
  return host === domain || host.endsWith(`.${domain}`);
}

/** The token of the address knows best; without it what the report quotes of our mail. Without details it is no reason to give an address up. */
function bounceOf(mail: ParsedMail, recipient: Recipient | undefined, marks: MailMarks): FirstLook {
  const { permanent = false, status = null, recipient: address = null, diagnostic = null, original_message_id = null } = mail.bounce ?? {};
  const named = original_message_id === null ? undefined : marks.readMessageId(original_message_id);
  const email_id = recipient?.for === 'bounce' ? recipient.email_id : named?.email_id;
  if (email_id === undefined) return { as: 'ignored', reason: 'unknown_bounce' };
  return { as: 'bounce', email_id, address, permanent, status, diagnostic };
}

/** What in a mail may name its ticket. */
export type Claim =
  | { by: 'token'; ticket_id: string }
  | { by: 'reference'; ticket_id: string }
  | { by: 'reference'; message_id: string }
  | { by: 'number'; ticket_number: string };

const mostReferences = 50;
const mostNumbers = 3;

/**
 * The claims of a mail in the order in which they count (docs/decisions/0024-mail-in.md): tokens, of the envelope before those of the headers; what it answers,
 * then what that answered, newest first; numbers in the subject. Tokens and our own Message-IDs are keyed: nobody who has not got a mail of
 * the ticket can make one. A number anybody can guess.
 */
export function claimsOf(mail: ParsedMail, { organization_id, to_address }: Envelope, marks: MailMarks): Claim[] {
  const tokens = [to_address, ...mail.recipients].flatMap((address): Claim[] => {
    const recipient = recipientOf(marks, organization_id, address);
    return recipient?.for === 'ticket' ? [{ by: 'token', ticket_id: recipient.ticket_id }] : [];
  });
  const answered = [...new Set([...mail.in_reply_to, ...mail.references.toReversed()])].slice(0, mostReferences);
  const references = answered.flatMap((message_id): Claim[] => {
    const ours = marks.readMessageId(message_id);
    if (ours) return ours.ticket_id === null ? [] : [{ by: 'reference', ticket_id: ours.ticket_id }];
    return [{ by: 'reference', message_id }];
  });
  const numbers = [...(mail.subject ?? '').matchAll(/\[([a-z0-9]{1,20}-\d{4,12})\]/gi)].slice(0, mostNumbers);
  return [...tokens, ...references, ...numbers.map(([, number]): Claim => ({ by: 'number', ticket_number: number!.toUpperCase() }))];
}

/** At most `limit` UTF-16 units, never half a character. */
export const cut = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '') + '…';

export interface Content {
  text: string;
  /** More of the mail than this is kept, and can be looked at. */
  has_original: boolean;
}

/** What stands in the conversation: all of it in a new ticket, what was written now in an answer. `intro` comes before, and counts. */
export function contentOf(mail: ParsedMail, options: { whole: boolean; intro?: string }): Content {
  const written = (options.whole ? mail.text : mail.reply).trim();
  const own = written !== '' ? written : mail.files.length > 0 ? 'See the attached files' : '(no text)';
  const full = options.intro === undefined ? own : `${options.intro}\n\n${own}`;
  const text = cut(full, ticketLimits.comment);
  return { text, has_original: text !== full || mail.html !== null || (mail.quoted_text !== null && !options.whole) };
}

/** What a sender whom the ticket does not know wrote: staff read it, and decide. */
export const strangersNote = (sender: string): string => `From ${sender}, who is not known on this ticket:`;
export const disownedNote = (sender: string): string =>
  `From ${sender}, but the domain of that address says that this email is not from there (DMARC failed):`;
export const disownedTicket =
  'The sender of this email may be forged: the domain of the address says that the email is not from there (DMARC failed). The customer got no confirmation.';
export const unprovenTicket = 'Sent without proof of the sender: only the ticket number in the subject matched.';
export const automaticNote = (sender: string): string => `Automatic reply from ${sender}:`;

export const subjectOf = (mail: ParsedMail): string => cut(mail.subject?.trim() || '(no subject)', ticketLimits.subject);
export const nameOf = (mail: ParsedMail): string | null => (mail.from?.name?.trim() ? cut(mail.from.name.trim(), ticketLimits.name) : null);

/** The same for a mail that comes by two ways; null where nothing in it tells it from the next one like it. */
export function likenessOf(mail: ParsedMail): string | null {
  if (mail.message_id === null) return null;
  const written = [
    mail.message_id,
    mail.from?.address,
    mail.subject,
    mail.text,
    ...mail.files.map(({ file_name, content }) => [file_name, content.length]),
  ];
  return createHash('sha256').update(JSON.stringify(written)).digest('hex');
}

/** A name that a row can hold, with its ending; what it means is `safeFileName`'s to judge. */
export function shortFileName(given: string): string {
  const name = given.trim() === '' ? 'file' : given;
  if (name.length <= attachmentRules.maxNameLength) return name;
  const ending = endingOf(name).slice(0, 20);
  return ending === ''
    ? name.slice(0, attachmentRules.maxNameLength)
    : `${name.slice(0, attachmentRules.maxNameLength - ending.length - 1)}.${ending}`;
}

/** The note that tells staff which files a mail had beside those that are here. */
export const leftOutNote = (lines: string[]): string =>
  cut(`Files that were left out of this mail:\n${lines.map((line) => `- ${line}`).join('\n')}`, ticketLimits.comment);

export interface SortedFiles {
  taken: { file_name: string; content: Buffer }[];
  /** A line for each of the others: its name, and why. */
  leftOut: string[];
}

/** The files of a mail that its ticket takes, by the rules that hold for all files. */
export function sortFiles(files: readonly ParsedFile[]): SortedFiles {
  const taken: SortedFiles['taken'] = [];
  const leftOut: string[] = [];
  for (const { file_name, content } of files) {
    const name = safeNameOf(file_name);
    const why = name === undefined ? 'a program' : whyNot(content.length, taken.length);
    if (name !== undefined && why === undefined) taken.push({ file_name: name, content });
    else leftOut.push(`${cut(file_name, 100)} (${why})`);
  }
  return { taken, leftOut };
}

function whyNot(size: number, taken: number): string | undefined {
  if (size === 0) return 'empty';
  if (size > attachmentRules.maxBytes) return `larger than ${attachmentRules.maxBytes / 1024 / 1024} MB`;
  return taken >= attachmentRules.maxFiles ? `more than ${attachmentRules.maxFiles} files` : undefined;
}

/** Undefined for the name of a program. */
function safeNameOf(given: string): string | undefined {
  if (isRefusedName(given)) return undefined;
  for (const name of [shortFileName(given), 'file']) {
    try {
      return safeFileName(name);
    } catch {
      if (isRefusedName(name)) return undefined;
    }
  }
  return undefined;
}
