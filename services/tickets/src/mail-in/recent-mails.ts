import { Injectable } from '@nestjs/common';
import { lengthOf } from './pieces';

export interface RecentMailLimits {
  /** Smaller emails are quickly read from the database. */
  minBytes: number;
  /** All emails together. */
  maxBytes: number;
  /** An email that another process has processed, or whose job is late, is dropped after this time. */
  ms: number;
}
export const recentMailLimits: RecentMailLimits = { minBytes: 1024 * 1024, maxBytes: 50 * 1024 * 1024, ms: 10_000 };

/**
 * Bytes of large emails that this process has just stored. Its worker usually processes an email within milliseconds; to read 24 MB back
 * from the database would cost the main thread a tenth of a second and several times that in memory to collect. The database has the
 * bytes for all other cases.
 */
@Injectable()
export class RecentMails {
  readonly #mails = new Map<string, { raw: Buffer[]; bytes: number; expiry: NodeJS.Timeout }>();
  #bytes = 0;

  constructor(private readonly limits: RecentMailLimits) {}

  add(id: string, raw: Buffer[]): void {
    const { minBytes, maxBytes, ms } = this.limits;
    const bytes = lengthOf(raw);
    if (bytes < minBytes || this.#bytes + bytes > maxBytes) return;
    this.#bytes += bytes;
    this.#mails.set(id, { raw, bytes, expiry: setTimeout(() => this.take(id), ms).unref() });
  }

  /** Returns the bytes once: the parser consumes them. */
  take(id: string): Buffer[] | undefined {
    const mail = this.#mails.get(id);
    if (!mail) return undefined;
    clearTimeout(mail.expiry);
    this.#mails.delete(id);
    this.#bytes -= mail.bytes;
    return mail.raw;
  }
}
