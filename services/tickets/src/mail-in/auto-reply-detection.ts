import type { Email } from 'postal-mime';
import { cleanLine, cleanText } from './clean';
import type { ParsedMail } from './parsed-mail';

/** Mail headers by lower-case name; of repeated headers, the first. */
export class Headers {
  readonly #values = new Map<string, string>();

  constructor(headers: Email['headers']) {
    for (const { key, value } of headers) if (!this.#values.has(key)) this.#values.set(key, value);
  }

  /** The trimmed value; undefined if the header is missing. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.trim();
  }
  has(name: string): boolean {
    return this.#values.has(name);
  }
}

/**
 * A discussion list. Many teams receive their emails through one, and these are written by people. Newsletters also have a `List-Id`, but
 * `Precedence: bulk` or none.
 */
const isDiscussionList = (headers: Headers): boolean => headers.get('precedence')?.toLowerCase() === 'list';

/** The sign that an email is automatic, or null. Not `X-Auto-Response-Suppress`, which only lists replies that its sender rejects. */
export function detectAutoReply(headers: Headers, bounced: boolean): string | null {
  if (bounced) return 'delivery report';
  const submitted = headers
    .get('auto-submitted')
    ?.replace(/[;(].*$/s, '')
    .trim()
    .toLowerCase();
  if (submitted && submitted !== 'no') return 'Auto-Submitted';
  const precedence = headers.get('precedence')?.toLowerCase();
  if (precedence && /^(bulk|junk|auto_reply)\b/.test(precedence)) return 'Precedence';
  for (const name of [...(isDiscussionList(headers) ? [] : ['List-Id']), 'X-Autoreply', 'X-Autorespond', 'X-Autoresponder', 'X-Loop'])
    if (headers.get(name.toLowerCase()) && headers.get(name.toLowerCase())?.toLowerCase() !== 'no') return name;
  return null;
}

/** Whether not to reply automatically: the sender suppresses it (MS-OXCMAIL 2.1.3.2.20), or a list would send the reply to its members. */
export function suppressesReplies(headers: Headers): boolean {
  if (isDiscussionList(headers)) return true;
  const suppress = headers.get('x-auto-response-suppress')?.toLowerCase() ?? '';
  return suppress.split(/[,;\s]+/).some((word) => ['all', 'oof', 'autoreply'].includes(word));
}

const daemonPattern = /^(?:mailer-daemon|postmaster|mail-daemon|double-bounce)@|^(?:mailer-daemon|postmaster)$/i;
const statusPattern = /\b([245])\.(\d{1,3})\.(\d{1,3})\b/;
const idPattern = /^message-id:\s*(<[^<>\s]{1,900}>)/im;
const maxReturnedHeaders = 64 * 1024;

/** The delivery failure report about one of our emails (RFC 3464), or an equivalent for servers that send only prose. */
export function parseBounce(headers: Headers, mail: Email, from: string | null, text: string): ParsedMail['bounce'] {
  const report = reportFields(mail);
  const byHeader = headers.has('x-failed-recipients');
  const byType = /multipart\/report/i.test(headers.get('content-type') ?? '') && /delivery-status/i.test(headers.get('content-type') ?? '');
  const byReturnPath = /^<\s*>$/.test(headers.get('return-path') ?? '') && !isVacation(headers);
  if (!report && !byHeader && !byType && !byReturnPath && !(from !== null && daemonPattern.test(from))) return null;
  const action = report?.get('action')?.toLowerCase();
  // Delivered, relayed, expanded: success reports.
  if (action && !['failed', 'delayed'].includes(action)) return null;
  const diagnostic = cleanLine(report?.get('diagnostic-code')?.replace(/^\s*[\w-]+\s*;\s*/, ''), 1_000) ?? null;
  const status =
    statusPattern.exec(report?.get('status') ?? '')?.[0] ?? statusPattern.exec(diagnostic ?? text.slice(0, 20_000))?.[0] ?? null;
  const recipient = report?.get('final-recipient') ?? report?.get('original-recipient') ?? headers.get('x-failed-recipients');
  return {
    is_final: action === 'failed',
    permanent: action === 'delayed' ? false : (status?.startsWith('5') ?? false),
    status,
    recipient:
      /[^\s<>;,]{1,250}@[^\s<>;,]{1,250}/
        .exec(recipient?.slice(0, 2_000).replace(/^\s*[\w-]+\s*;\s*/, '') ?? '')?.[0]
        .toLowerCase()
        .slice(0, 254) ?? null,
    diagnostic,
    original_message_id: idPattern.exec(returnedHeaders(mail) ?? text.slice(0, maxReturnedHeaders))?.[1] ?? null,
  };
}

/** Vacation notices also have an empty sender, to prevent replies (RFC 3834, 3.1). */
const isVacation = (headers: Headers): boolean =>
  /^auto-replied/i.test(headers.get('auto-submitted') ?? '') ||
  /auto_reply/i.test(headers.get('precedence') ?? '') ||
  headers.has('x-autoreply');

/** Fields of the `message/delivery-status` part: those of the message, overridden by those of the first failed recipient. */
function reportFields(mail: Email): Map<string, string> | undefined {
  const part = mail.attachments.find(
    ({ mimeType }) => mimeType === 'message/delivery-status' || mimeType === 'message/global-delivery-status',
  );
  if (!part) return undefined;
  const groups = cleanText(latin(part.content, maxReturnedHeaders), maxReturnedHeaders)
    .split(/\n[ \t]*\n/)
    .map(readFields);
  const failed = groups.find((group) => group.get('action')?.toLowerCase() === 'failed') ?? groups.find((group) => group.has('action'));
  return new Map([...(groups[0] ?? []), ...(failed ?? [])]);
}

function readFields(group: string): Map<string, string> {
  const lines = group.replace(/\n[ \t]+/g, ' ').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
}

/** The headers of our own email that the report returns. */
function returnedHeaders(mail: Email): string | undefined {
  const part = mail.attachments.find(({ mimeType }) =>
    /^(message\/(global|rfc822|global-headers|rfc822-headers)|text\/rfc822-headers)$/.test(mimeType),
  );
  return part && latin(part.content, maxReturnedHeaders).replace(/\r?\n[ \t]+/g, ' ');
}

const latin = (content: Email['attachments'][number]['content'], max: number): string =>
  typeof content === 'string' ? content.slice(0, max) : Buffer.from(new Uint8Array(content).subarray(0, max)).toString('latin1');
