/**
 * A mail as everything behind the parser sees it: strings are well-formed, without NUL and control characters, and bounded; addresses are in
 * lower case. Whatever was broken in the mail is mended or missing here, never an error.
 */
export interface ParsedMail {
  /** Without brackets' surroundings: `<id@host>`. */
  message_id: string | null;
  in_reply_to: string[];
  /** Oldest first. */
  references: string[];
  from: { address: string; name: string | null } | null;
  /** To, Cc, Delivered-To and X-Original-To: where a reply token may stand. */
  recipients: string[];
  subject: string | null;
  sent_at: string | null;
  /** The whole text: the plain part, or the HTML part as text. */
  text: string;
  /** What the sender wrote now, above what they quote; the whole text where nothing is left otherwise. */
  reply: string;
  /** What `reply` leaves away; null when that is nothing. */
  quoted_text: string | null;
  /** Sanitized (`OriginalMail.html`); null for plain mails. */
  html: string | null;
  files: ParsedFile[];
  /** Nobody wrote it: no answer, no reopening. Which sign says so. */
  automatic: string | null;
  /** Its sender wants no automatic answer; it is a person's mail all the same. */
  wants_no_answer: boolean;
  /** The organization id of our own loop mark, or null. */
  loop: string | null;
  /** A report that a mail did not arrive (RFC 3464). */
  bounce: {
    permanent: boolean;
    status: string | null;
    recipient: string | null;
    diagnostic: string | null;
    original_message_id: string | null;
  } | null;
}

export interface ParsedFile {
  file_name: string;
  /** Shown in the HTML by this `cid:`; null for a file that was attached. */
  content_id: string | null;
  content: Buffer;
}

/** A mail that cannot be a ticket, whatever is tried: recorded as refused with this reason, and kept. */
export class UnreadableMail extends Error {}
