import { createHash } from 'node:crypto';
import { attachmentRules, email, endingOf, isRefusedName, ticketLimits } from '@tandem/contracts';
import { bounceHostOf } from '@tandem/contracts/values';
import type { EmailTokens } from '@tandem/platform';
import { safeFileName } from '../attachment/attachment';
import type { ParsedFile, ParsedMail } from './parsed-mail';

export const hourMs = 3_600_000;
/** `listInboundMails`: emails are kept for 30 days. */
export const retentionDays = 30;
export const duplicateDays = 7;
export const pruneBatch = 500;
/** Limits per sender, organization and hour, so that a malfunctioning sender cannot flood a team with tickets. */
export const senderLimits = { mails: 60, tickets: 5 } as const;
/** Once emails have opened this many tickets within these minutes, new ones are not confirmed, to avoid backscatter to forged senders. */
export const confirmationLimits = { tickets: 60, minutes: 10 };
/** Maximum backlog of unprocessed emails per organization. */
export const backlogLimits = { mails: 2_000, bytes: 500 * 1024 * 1024 };

/** A sender's emails and tickets in the last hour; `is_duplicate`: the same email has already arrived another way. */
export interface SenderHistory {
  mails: number;
  tickets: number;
  is_duplicate: boolean;
}

/** The SMTP envelope and the organization it is for. */
export interface Envelope {
  organization_id: string;
  to_address: string;
  envelope_from: string;
}

const localPartOf = (address: string): string => address.slice(0, Math.max(0, address.lastIndexOf('@')));

export type Recipient = { for: 'anything' } | { for: 'ticket'; ticket_id: string } | { for: 'bounce'; email_id: string };

/** The purpose of an organization's address: `support`, or one with a token for a ticket or a bounce. Undefined if it does not exist. */
export function parseRecipient(tokens: EmailTokens, organization_id: string, address: string): Recipient | undefined {
  const local = localPartOf(address).toLowerCase();
  if (local === 'support') return { for: 'anything' };
  const ticket_id = tokens.ticketOf(organization_id, local);
  if (ticket_id !== undefined) return { for: 'ticket', ticket_id };
  const email_id = tokens.bouncedMailOf(organization_id, local);
  return email_id === undefined ? undefined : { for: 'bounce', email_id };
}

/** The sender domain to whose bounce host this address belongs. */
export function bouncedDomainOf(address: string): string | undefined {
  const host = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return host.startsWith(bounceHostOf('')) ? host.slice(bounceHostOf('').length) : undefined;
}

/** The sender: the From address, else the envelope sender. Null if neither is valid. */
export function senderOf(mail: ParsedMail, { envelope_from }: Envelope): string | null {
  const given = [mail.from?.address, envelope_from].find((address) => email().safeParse(address).success);
  return given === undefined ? null : email().parse(given);
}

/** Canonical mailbox of an address: a `+tag` is the same sender. Same rule as `canonicalMailbox` in the gateway's limits. */
export function canonicalMailbox(address: string): string {
  const plain = address.trim().toLowerCase();
  const at = plain.lastIndexOf('@');
  return at < 0 ? plain : `${plain.slice(0, at).replace(/\+.*$/s, '')}${plain.slice(at)}`;
}

export type Classification =
  | { kind: 'ignored' | 'refused'; reason: string }
  | ({ kind: 'bounce'; email_id: string; address: string | null } & Pick<
      NonNullable<ParsedMail['bounce']>,
      'permanent' | 'is_final' | 'status' | 'diagnostic'
    >)
  | { kind: 'message'; sender: string; automatic: boolean };

/** An automatic reply to the envelope sender, such as a vacation notice; it is not a bounce. */
const isAutoReply = (mail: ParsedMail): boolean => mail.bounce === null && mail.automatic !== null;

/** Classifies an email before its ticket is looked up. Ignores our own returned emails, which prevents loops. */
export function classify(mail: ParsedMail, envelope: Envelope, tokens: EmailTokens, domain: string): Classification {
  const sender = senderOf(mail, envelope);
  if (mail.loop !== null || (sender !== null && isOwnAddress(sender, domain))) return { kind: 'ignored', reason: 'loop' };
  const recipient = parseRecipient(tokens, envelope.organization_id, envelope.to_address);
  if (mail.bounce !== null || (recipient?.for === 'bounce' && !isAutoReply(mail))) return parseBounce(mail, recipient, tokens);
  if (recipient?.for === 'bounce') return { kind: 'ignored', reason: 'automatic' };
  if (sender === null) return { kind: 'refused', reason: 'no_sender' };
  return { kind: 'message', sender, automatic: mail.automatic !== null };
}

/**
 * The addresses of people in Cc: without the customer's own, and without ours, which would send every reply back to us. `received_at` are
 * addresses of the organization that we receive emails from, outside our domain.
 */
export function copiedTo({ cc }: ParsedMail, customer_email: string, domain: string, received_at: readonly string[] = []): string[] {
  const isPerson = (address: string) => address !== customer_email && !isOwnAddress(address, domain) && !received_at.includes(address);
  const people = cc.filter((address) => isPerson(address) && email().safeParse(address).success);
  return people.slice(0, ticketLimits.cc);
}

function isOwnAddress(address: string, domain: string): boolean {
  const host = address.slice(address.lastIndexOf('@') + 1);
  return host === domain || host.endsWith(`.${domain}`);
}

/** Finds the bounced email by the address token, else by its Message-ID in the report. Without details the bounce is not permanent. */
function parseBounce(mail: ParsedMail, recipient: Recipient | undefined, tokens: EmailTokens): Classification {
  const { permanent = false, is_final = false, status = null, recipient: address = null, diagnostic = null } = mail.bounce ?? {};
  const original_message_id = mail.bounce?.original_message_id ?? null;
  const named = original_message_id === null ? undefined : tokens.readMessageId(original_message_id);
  const email_id = recipient?.for === 'bounce' ? recipient.email_id : named?.email_id;
  if (email_id === undefined) return { kind: 'ignored', reason: 'unknown_bounce' };
  return { kind: 'bounce', email_id, address, permanent, is_final, status, diagnostic };
}

/** A possible reference to a ticket. */
export type TicketReference =
  | { by: 'token'; ticket_id: string }
  | { by: 'reference'; ticket_id: string }
  | { by: 'reference'; message_id: string }
  | { by: 'number'; ticket_number: string };

const maxReferences = 50;
const maxNumbers = 3;

/**
 * The ticket references of an email by priority (docs/decisions/0024-incoming-email.md): tokens, those of the envelope before those of the
 * headers; In-Reply-To, then References, newest first; numbers in the subject. Tokens and our own Message-IDs are keyed, so only recipients
 * of the ticket's emails can have them. Numbers can be guessed.
 */
export function ticketReferences(mail: ParsedMail, { organization_id, to_address }: Envelope, tokens: EmailTokens): TicketReference[] {
  const ticketTokens = [to_address, ...mail.recipients].flatMap((address): TicketReference[] => {
    const recipient = parseRecipient(tokens, organization_id, address);
    return recipient?.for === 'ticket' ? [{ by: 'token', ticket_id: recipient.ticket_id }] : [];
  });
  const answered = [...new Set([...mail.in_reply_to, ...mail.references.toReversed()])].slice(0, maxReferences);
  const references = answered.flatMap((message_id): TicketReference[] => {
    const ours = tokens.readMessageId(message_id);
    if (ours) return ours.ticket_id === null ? [] : [{ by: 'reference', ticket_id: ours.ticket_id }];
    return [{ by: 'reference', message_id }];
  });
  const numbers = [...(mail.subject ?? '').matchAll(/\[([a-z0-9]{1,20}-\d{4,12})\]/gi)].slice(0, maxNumbers);
  return [
    ...ticketTokens,
    ...references,
    ...numbers.map(([, number]): TicketReference => ({ by: 'number', ticket_number: number!.toUpperCase() })),
  ];
}

/** At most `limit` UTF-16 units, without splitting a surrogate pair. */
export const truncate = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '') + '…';

export interface MailContent {
  text: string;
  /** The stored original has more than `text`, and staff can open it. */
  has_original: boolean;
}

/** Text for the conversation: all text for a new ticket, only the new part for a reply. `intro` comes first and counts toward the limit. */
export function commentContent(mail: ParsedMail, options: { whole: boolean; intro?: string }): MailContent {
  const written = (options.whole ? mail.text : mail.reply).trim();
  const own = written !== '' ? written : mail.files.length > 0 ? 'See the attached files' : '(no text)';
  const full = options.intro === undefined ? own : `${options.intro}\n\n${own}`;
  const text = truncate(full, ticketLimits.comment);
  return { text, has_original: text !== full || mail.html !== null || (mail.quoted_text !== null && !options.whole) };
}

/** Intro of a note with an email from an unknown sender; staff decide what to do with it. */
export const unknownSenderIntro = (sender: string): string => `From ${sender}, an unknown sender on this ticket:`;
export const copiedIntro = (sender: string): string => `From ${sender}, in Cc on this ticket:`;
export const disownedIntro = (sender: string): string => `From ${sender}. The sender may be forged (DMARC failed):`;
export const disownedWarning =
  'The sender of this email may be forged: its domain didn’t authorize it (DMARC failed). No confirmation was sent to the customer.';
export const unprovenWarning = 'Sent without proof of the sender: only the ticket number in the subject matched.';
export const autoReplyIntro = (sender: string): string => `Automatic reply from ${sender}:`;

export const ticketSubject = (mail: ParsedMail): string => truncate(mail.subject?.trim() || '(no subject)', ticketLimits.subject);
export const customerName = (mail: ParsedMail): string | null =>
  mail.from?.name?.trim() ? truncate(mail.from.name.trim(), ticketLimits.name) : null;

/** A hash that is equal if the same email arrives twice. Null without a Message-ID, because separate emails could then be equal. */
export function contentHash(mail: ParsedMail): string | null {
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

/** Shortens a name to the maximum length, keeping its extension. `safeFileName` decides whether it is allowed. */
export function truncateFileName(given: string): string {
  const name = given.trim() === '' ? 'file' : given;
  if (name.length <= attachmentRules.maxNameLength) return name;
  const ending = endingOf(name).slice(0, 20);
  return ending === ''
    ? name.slice(0, attachmentRules.maxNameLength)
    : `${name.slice(0, attachmentRules.maxNameLength - ending.length - 1)}.${ending}`;
}

/** A note for staff about the files of an email that were left out. */
export const skippedFilesNote = (lines: string[]): string =>
  truncate(`Files left out of this email:\n${lines.map((line) => `- ${line}`).join('\n')}`, ticketLimits.comment);

export interface FileSelection {
  taken: { file_name: string; content: Buffer }[];
  /** One line per file that was left out: its name, and why. */
  skipped: string[];
}

/** Splits the files of an email by the rules for all attachments. */
export function selectFiles(files: readonly ParsedFile[]): FileSelection {
  const taken: FileSelection['taken'] = [];
  const skipped: string[] = [];
  for (const { file_name, content } of files) {
    const name = safeNameOf(file_name);
    const why = name === undefined ? 'a program' : whyNot(content.length, taken.length);
    if (name !== undefined && why === undefined) taken.push({ file_name: name, content });
    else skipped.push(`${truncate(file_name, 100)} (${why})`);
  }
  return { taken, skipped };
}

function whyNot(size: number, taken: number): string | undefined {
  if (size === 0) return 'empty';
  if (size > attachmentRules.maxBytes) return `larger than ${attachmentRules.maxBytes / 1024 / 1024} MB`;
  return taken >= attachmentRules.maxFiles ? `more than ${attachmentRules.maxFiles} files` : undefined;
}

/** Undefined for the name of an executable. */
function safeNameOf(given: string): string | undefined {
  if (isRefusedName(given)) return undefined;
  for (const name of [truncateFileName(given), 'file']) {
    try {
      return safeFileName(name);
    } catch {
      if (isRefusedName(name)) return undefined;
    }
  }
  return undefined;
}
