import type { Language } from '@tandem/contracts';

/**
 * A parsed email. Strings are well-formed, bounded and without NUL and control characters; addresses are in lower case. Malformed parts of
 * the email are repaired or missing, never an error.
 */
export interface ParsedMail {
  /** In the form `<id@host>`, without anything around the brackets. */
  message_id: string | null;
  in_reply_to: string[];
  /** Oldest first. */
  references: string[];
  from: { address: string; name: string | null } | null;
  /** To, Cc, Delivered-To and X-Original-To, any of which may contain a reply token. */
  recipients: string[];
  /** The addresses in Cc, without those that forwarded the email to us. */
  cc: string[];
  subject: string | null;
  /** The language that the sender's mail program states; null if it states none that Tandem supports. */
  language: Language | null;
  sent_at: string | null;
  /** The whole text: the plain part, or the HTML part as text. */
  text: string;
  /** The new text above the quote, or the whole text if nothing else would be left. */
  reply: string;
  /** The text that is not in `reply`; null if there is none. */
  quoted_text: string | null;
  /** Sanitized (`OriginalMail.html`); null for plain-text emails. */
  html: string | null;
  files: ParsedFile[];
  /** The sign by which the email was recognized as automatic: it gets no reply and reopens no ticket. Null if a person wrote it. */
  automatic: string | null;
  /** The sender suppresses automatic replies, although a person may have written it. */
  suppresses_replies: boolean;
  /** Organization id from our own loop header, or null. */
  loop: string | null;
  /** A delivery failure report (RFC 3464). */
  bounce: {
    permanent: boolean;
    /** The other server reported that it has given up on the email. */
    is_final: boolean;
    status: string | null;
    recipient: string | null;
    diagnostic: string | null;
    original_message_id: string | null;
  } | null;
}

export interface ParsedFile {
  file_name: string;
  /** Set if the HTML shows the file by this `cid:`; null for a regular attachment. */
  content_id: string | null;
  content: Buffer;
}

/** An email that can never be processed: recorded as refused with this reason, and its bytes are kept. */
export class UnreadableMail extends Error {}
