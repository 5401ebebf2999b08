import type { SenderChecks } from '@tandem/contracts';
import type { ParsedMail } from './parsed-mail';
import type { SenderCheckOptions } from './sender-check';
import type { SmtpClient } from './spf-client';

/** A request to the parser thread. The blocks of the email are transferred, and the thread joins them. */
export type ParserRequest =
  | { kind: 'recipients'; raw: ArrayBuffer[] }
  | { kind: 'email'; raw: ArrayBuffer[]; envelope_from: string; client: SmtpClient | undefined; options: SenderCheckOptions };

export interface ParsedAndChecked {
  mail: ParsedMail;
  checks: SenderChecks;
  /** Why the sender could not be checked. */
  check_failure?: string | undefined;
}

/** `unreadable`: the email can never be processed. Any other error may be temporary. */
export type ParserResponse =
  | { kind: 'recipients'; recipients: string[] }
  | ({ kind: 'email' } & ParsedAndChecked)
  | { kind: 'unreadable' | 'error'; message: string };

/** The bytes in a separate buffer, which can be transferred. Copies only a view of a larger buffer, such as Node's pool. */
export const ownBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer =>
  (byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
