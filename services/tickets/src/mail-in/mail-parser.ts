import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger, ServiceConfig } from '@tandem/platform';
import { UnreadableMail, type ParsedMail } from './parsed-mail';
import { ownBuffer, type ParsedAndChecked, type ParserRequest, type ParserResponse } from './parser-messages';
import { parserThreadFile } from './parser-thread-file';
import { lengthOf } from './pieces';
import type { SmtpClient } from './spf-client';
import { ThreadLimitExceeded, ThreadPool, type ThreadLimits } from './thread-pool';
import type { MailInConfig } from './variables';

/** An email of 25 MB takes about two seconds, and its sender check up to five. */
export const parserLimits: ThreadLimits = { maxThreads: 3, heapMb: 256, requestMs: 30_000, idleMs: 60_000 };

/** Parsing a larger email takes up to 20 times its size in memory, so a process parses only one at a time. */
const largeBytes = 2 * 1024 * 1024;

/** Longer headers are refused by the parser; only they are needed for the recipients. */
const maxHeaderBytes = 1024 * 1024;

const unreadable = { time: 'Reading it takes too long', memory: 'Reading it takes too much memory' } as const;

/** Parses emails and checks their senders in worker threads, outside the event loop that answers requests. */
@Injectable()
export class MailParser implements OnApplicationShutdown {
  readonly #threads = new ThreadPool<ParserRequest, ParserResponse>(parserThreadFile, parserLimits);
  /** Settles when the last of the large emails so far has been parsed. */
  #large: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** Consumes the blocks of an email, which are transferred. Throws `UnreadableMail` if the email can never be processed. */
  async parse(
    blocks: readonly Buffer[],
    envelope_from: string,
    client: SmtpClient | undefined,
  ): Promise<Omit<ParsedAndChecked, 'check_failure'>> {
    const options = { servers: this.config.DNS_SERVERS, mta: this.config.MAIL_DOMAIN };
    const run = (endsThread: boolean) =>
      this.#run({ kind: 'email', raw: blocks.map(ownBuffer), envelope_from, client, options }, { endsThread });
    const response = await (lengthOf(blocks) > largeBytes ? this.#alone(() => run(true)) : run(false));
    if (response.kind !== 'email') throw failureOf(response);
    const { mail, checks, check_failure } = response;
    if (check_failure !== undefined) this.log.warn({ reason: check_failure }, 'Could not check the sender of an email');
    return { mail: withBuffers(mail), checks };
  }

  /** The recipients of an email, from its headers only; none if they cannot be read. */
  async recipients(blocks: readonly Buffer[]): Promise<string[]> {
    const headers = Buffer.concat(blocks, Math.min(lengthOf(blocks), maxHeaderBytes));
    try {
      const response = await this.#run({ kind: 'recipients', raw: [ownBuffer(headers)] });
      return response.kind === 'recipients' ? response.recipients : [];
    } catch (error) {
      if (error instanceof UnreadableMail) return [];
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#threads.close();
  }

  /** Runs the parsing of a large email after that of the others. */
  async #alone<T>(parse: () => Promise<T>): Promise<T> {
    const parsed = this.#large.then(parse);
    this.#large = parsed.catch(() => undefined);
    return parsed;
  }

  async #run(request: ParserRequest, options: { endsThread?: boolean } = {}): Promise<ParserResponse> {
    try {
      return await this.#threads.run(request, request.raw, options);
    } catch (error) {
      if (!(error instanceof ThreadLimitExceeded)) throw error;
      this.log.warn({ limit: error.limit }, 'Terminated the parser thread of an email');
      throw new UnreadableMail(unreadable[error.limit], { cause: error });
    }
  }
}

const failureOf = (response: ParserResponse): Error => {
  const message = 'message' in response ? response.message : 'unexpected answer of the parser thread';
  return response.kind === 'unreadable' ? new UnreadableMail(message) : new Error(message);
};

/** Buffers arrive as plain bytes. */
const withBuffers = (mail: ParsedMail): ParsedMail => ({
  ...mail,
  files: mail.files.map((file) => ({ ...file, content: Buffer.from(file.content as unknown as ArrayBuffer) })),
});
