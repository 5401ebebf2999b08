import { languages, matchLanguage } from '@tandem/contracts/values';
import { addressParser, type Address, type Email } from 'postal-mime';
import { cleanLine, cleanText } from './clean';
import { safeHtml } from './html';
import { boundedHtml } from './html-bounds';
import { textWithMarkers, stripMarkers } from './html-text';
import { readMime } from './mime';
import type { ParsedFile, ParsedMail } from './parsed-mail';
import { splitMarked } from './quotes';
import { detectAutoReply, parseBounce, Headers, suppressesReplies } from './auto-reply-detection';

/** Maximum lengths in UTF-16 units, and maximum numbers; anything beyond is dropped. */
const limits = {
  text: 200_000,
  html: 1_000_000,
  subject: 1_000,
  name: 200,
  address: 254,
  id: 900,
  ids: 50,
  recipients: 200,
  /** Length of one address header. */
  addresses: 100_000,
  files: 100,
} as const;
const forwardedSubject = /^\s*(?:fwd?|wg|tr|rv|i|enc|doorst|vb|vs|vl|pd|转发|轉寄|転送)\s*[:：]/i;

/** Parses an email. Only throws `UnreadableMail`. */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const mail = await readMime(raw);
  const headers = new Headers(mail.headers);
  const from = senderOf(mail, headers);
  const subject = cleanLine(mail.subject, limits.subject) ?? null;
  const files = filesOf(mail);
  const source = mail.html === undefined ? undefined : boundedHtml(mail.html);
  const marked = source === undefined ? undefined : textWithMarkers(source);
  const plain = mail.text === undefined ? undefined : cleanText(mail.text, limits.text).trim();
  const text = plain || cleanText(stripMarkers(marked ?? ''), limits.text);
  const split = splitMarked(text, marked?.slice(0, limits.text), forwardedSubject.test(subject ?? ''));
  const html = source === undefined ? null : cleanText(safeHtml(source, files), 500_000) || null;
  const bounce = parseBounce(headers, mail, from?.address ?? null, text);
  return {
    message_id: idsIn(mail.messageId)[0] ?? null,
    in_reply_to: idsIn(mail.inReplyTo),
    references: idsIn(mail.references),
    from,
    recipients: addressesIn(mail, recipientHeaders),
    cc: copiedIn(mail),
    subject,
    language: matchLanguage(headers.get('content-language') ?? headers.get('accept-language'), languages, null),
    sent_at: sentAt(mail.date),
    text,
    reply: cleanText(split.reply, limits.text),
    quoted_text: split.quoted_text === null ? null : cleanText(split.quoted_text, limits.text) || null,
    html,
    files,
    automatic: detectAutoReply(headers, bounce !== null),
    suppresses_replies: suppressesReplies(headers),
    loop: cleanLine(headers.get('x-tandem-loop'), 100) ?? null,
    bounce,
  };
}

const addressPattern = /^[^\s@<>()[\],;:\\"\u0000-\u001f\u007f-\u009f]{1,64}@[^\s@<>()[\],;:\\"\u0000-\u001f\u007f-\u009f]{1,253}$/;

function addressOf(address: string | undefined): string | undefined {
  const plain = address?.trim().toLowerCase().toWellFormed();
  return plain && plain.length <= limits.address && addressPattern.test(plain) ? plain : undefined;
}

/** The first valid address among the senders: `From` (possibly several headers and addresses), else `Sender`, else `Return-Path`. */
function senderOf(mail: Email, headers: Headers): ParsedMail['from'] {
  const senders = [
    ...mail.headers
      .filter(({ key }) => key === 'from')
      .flatMap(({ value }) => addressParser(value.slice(0, limits.addresses), { flatten: true })),
    ...addressParser(headers.get('sender') ?? '', { flatten: true }),
    ...addressParser(headers.get('return-path') ?? '', { flatten: true }),
  ];
  for (const { address, name } of flat(senders)) {
    const found = addressOf(address);
    if (found)
      return { address: found, name: cleanLine(name?.slice(0, limits.name * 2).replace(/^['"]+|['"]+$/g, ''), limits.name) ?? null };
  }
  return null;
}

const flat = (addresses: Address[]) => addresses.flatMap((one) => one.group ?? [one]);

/** The recipients of an email, parsed from its headers only. */
export async function parseRecipients(raw: Buffer): Promise<string[]> {
  const ends = ['\r\n\r\n', '\n\n'].map((end) => raw.indexOf(end)).filter((at) => at >= 0);
  try {
    return addressesIn(await readMime(raw.subarray(0, Math.min(raw.length, ...ends))), recipientHeaders);
  } catch {
    return [];
  }
}

/** Delivered-To and X-Original-To before To and Cc, because they name the actual destination. */
const deliveryHeaders = ['delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to'];
const recipientHeaders = [...deliveryHeaders, 'to', 'cc'];

/** The people in Cc. A support address that forwards to us is not one of them: copies to it would return to us. */
function copiedIn(mail: Email): string[] {
  const forwarding = new Set(addressesIn(mail, deliveryHeaders));
  return addressesIn(mail, ['cc']).filter((address) => !forwarding.has(address));
}

/** The unique addresses in these headers. */
function addressesIn(mail: Email, names: readonly string[]): string[] {
  const found = new Set<string>();
  for (const name of names) {
    for (const { key, value } of mail.headers) {
      if (key !== name) continue;
      for (const { address } of flat(addressParser(value.slice(0, limits.addresses)))) {
        const recipient = addressOf(address);
        if (recipient) found.add(recipient);
        if (found.size >= limits.recipients) return [...found];
      }
    }
  }
  return [...found];
}

/** Ids in the form `<id@host>`, oldest first. Of more than `limits.ids`, the first and the latest: each can identify the conversation. */
function idsIn(value: string | undefined): string[] {
  if (!value) return [];
  const clean = cleanText(value, 50_000);
  const bracketed = clean.match(/<[^<>\s]{1,900}>/g) ?? [];
  const ids =
    bracketed.length > 0
      ? bracketed
      : clean
          .split(/[\s,]+/)
          .filter((id) => id.includes('@'))
          .map((id) => `<${id.replace(/[<>]/g, '')}>`);
  const usable = [...new Set(ids)].filter((id) => id.length <= limits.id);
  return usable.length > limits.ids ? [usable[0]!, ...usable.slice(1 - limits.ids)] : usable;
}

function sentAt(date: string | undefined): string | null {
  const time = date === undefined ? NaN : Date.parse(date);
  // A range of years that is plausible and that PostgreSQL supports.
  return time > 0 && time < Date.UTC(2100, 0) ? new Date(time).toISOString() : null;
}

function filesOf(mail: Email): ParsedFile[] {
  return mail.attachments.slice(0, limits.files).flatMap((part, at) => {
    const content = typeof part.content === 'string' ? Buffer.from(part.content) : Buffer.from(part.content as ArrayBuffer);
    if (content.length === 0) return [];
    const id = cleanLine(part.contentId?.replace(/^<|>$/g, ''), limits.name);
    const shown = id !== undefined && part.disposition !== 'attachment' && (part.related || (mail.html?.includes(`cid:${id}`) ?? false));
    return [{ file_name: nameOf(part, at, content), content_id: shown ? id : null, content }];
  });
}

const endings: Record<string, string> = {
  'message/rfc822': 'eml',
  'message/global': 'eml',
  'text/calendar': 'ics',
  'application/ics': 'ics',
  'application/ms-tnef': 'dat',
  'message/delivery-status': 'txt',
  'text/rfc822-headers': 'txt',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/json': 'json',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
};
const names: Record<string, string> = { ics: 'invite', eml: 'message', dat: 'winmail' };

/** The given file name; an embedded email without one is named after its subject. */
function nameOf({ filename, mimeType }: Email['attachments'][number], at: number, content: Buffer): string {
  const ending = endings[mimeType] ?? 'bin';
  const subject =
    ending === 'eml' ? /^subject:[ \t]*([^\r\n]{1,300})/im.exec(content.subarray(0, 16_384).toString('utf8'))?.[1] : undefined;
  const name = cleanLine(filename, limits.name) ?? cleanLine(subject?.replace(/[/\\:*?"<>|]/g, ' '), 100);
  if (name) return /\.[a-z0-9]{1,10}$/i.test(name) ? name : `${name}.${ending}`;
  return `${names[ending] ?? `attachment-${at + 1}`}.${ending}`;
}
