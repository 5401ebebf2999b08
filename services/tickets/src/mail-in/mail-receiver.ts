import type { SMTPServerDataStream } from 'smtp-server';
import { clientKey } from './client-address';
import type { Recipient } from './mail';
import { BlockBuffer, otherWork } from './pieces';

const megabyte = 1024 * 1024;
/**
 * Limits of the listener. A process holds at most `bufferedBytes` of incoming emails, and a third of them for one client (`clientKey`); a
 * client beyond that must try again later.
 */
export const smtpLimits = {
  bytes: 25 * megabyte,
  bufferedBytes: 75 * megabyte,
  bufferedBytesPerClient: 25 * megabyte,
  connections: 100,
  connectionsPerClient: 20,
  recipients: 20,
  idleMs: 60_000,
  /** Time limit from DATA to the last byte of an email, because until then its bytes take up memory. */
  dataMs: 5 * 60_000,
  /** Time limit of a connection, even if active: a client that sends a byte now and then must not occupy a connection forever. */
  maxConnectionMs: 30 * 60_000,
};

/** A fast sender fills a socket with megabytes, which Node would read and handle in one turn of the event loop. */
const turnBytes = 64 * 1024;

export interface KnownRecipient {
  organization_id: string;
  to_address: string;
  for: Recipient['for'];
}

/** An email to several addresses of an organization is stored once, for the most specific address. */
export function mostSpecific(recipients: KnownRecipient[]): KnownRecipient | undefined {
  const order: Recipient['for'][] = ['ticket', 'bounce', 'anything'];
  return recipients.toSorted((a, b) => order.indexOf(a.for) - order.indexOf(b.for))[0];
}

/** The blocks of a completely received email, or why there is none. */
export type Received = Buffer[] | 'too_large' | 'over_limit' | 'timed_out';

/** The part of an incoming email that has been received so far. */
interface IncomingMail {
  client: string;
  received: BlockBuffer;
}

/** Tracks open connections and incoming emails. */
export class MailReceiver {
  readonly #connected = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  /** Bytes in memory, by client. */
  readonly #mail = new Map<string, number>();

  /** False if this client already has its maximum number of connections. */
  connect(session_id: string, address: string): boolean {
    const client = clientKey(address);
    const own = [...this.#connected.values()].filter((each) => each === client).length;
    if (own >= smtpLimits.connectionsPerClient) return false;
    this.#connected.set(session_id, client);
    return true;
  }
  disconnect(session_id: string): void {
    this.#connected.delete(session_id);
  }

  track(work: Promise<void>): Promise<void> {
    const settled = work.catch(() => undefined).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return work;
  }

  /** Waits until all incoming emails are processed, but at most `withinMs`. */
  async waitForRunning(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.all(this.#running), over]).finally(() => clearTimeout(timer));
  }

  /**
   * Reads an email to its end and passes it to `use`. Discards the rest of an email that is too large or exceeds the memory limits, because
   * a sender reads the reply only after its last byte. An email that takes too long is `timed_out` and discarded. Memory counts until `use`
   * ends.
   */
  async receive(stream: SMTPServerDataStream, address: string, use: (mail: Received) => Promise<void>): Promise<void> {
    const mail: IncomingMail = { client: clientKey(address), received: new BlockBuffer() };
    let isTimedOut = false;
    const deadline = setTimeout(() => {
      isTimedOut = true;
      stream.destroy();
    }, smtpLimits.dataMs);
    try {
      const read = await this.#read(stream, mail).catch(() => (isTimedOut ? ('timed_out' as const) : ('broken' as const)));
      clearTimeout(deadline);
      // Broken: the connection ended within the email, so there is no client to reply to.
      if (read === 'whole') await use(mail.received.blocks());
      else if (read !== 'broken') await use(read);
    } finally {
      clearTimeout(deadline);
      this.#release(mail);
    }
  }

  async #read(stream: SMTPServerDataStream, mail: IncomingMail): Promise<'whole' | 'too_large' | 'over_limit'> {
    let overLimit = false;
    let inTurn = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      inTurn += chunk.length;
      if (inTurn >= turnBytes) {
        inTurn = 0;
        // In the meantime the stream fills up, so that Node stops reading from the socket.
        await otherWork();
      }
      if (overLimit || stream.sizeExceeded) continue;
      overLimit = !this.#hasCapacity(mail.client, chunk.length);
      if (overLimit) this.#release(mail);
      else {
        mail.received.add(chunk);
        this.#hold(mail.client, chunk.length);
      }
    }
    if (stream.sizeExceeded) return 'too_large';
    return overLimit ? 'over_limit' : 'whole';
  }

  #hasCapacity(client: string, bytes: number): boolean {
    const all = [...this.#mail.values()].reduce((sum, each) => sum + each, 0);
    return all + bytes <= smtpLimits.bufferedBytes && (this.#mail.get(client) ?? 0) + bytes <= smtpLimits.bufferedBytesPerClient;
  }

  #hold(client: string, bytes: number): void {
    const now = (this.#mail.get(client) ?? 0) + bytes;
    if (now > 0) this.#mail.set(client, now);
    else this.#mail.delete(client);
  }

  #release(mail: IncomingMail): void {
    this.#hold(mail.client, -mail.received.bytes);
    mail.received = new BlockBuffer();
  }
}
