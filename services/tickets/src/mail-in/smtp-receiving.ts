import type { SMTPServerDataStream } from 'smtp-server';
import { clientOf } from './client-address';
import type { Recipient } from './mail';

const megabyte = 1024 * 1024;
/**
 * Limits of the listener. A process holds at most `heldBytes` of incoming mails, and a third of them for one client (`clientOf`); a client
 * beyond that must try again later.
 */
export const smtpLimits = {
  bytes: 25 * megabyte,
  heldBytes: 75 * megabyte,
  heldBytesOfClient: 25 * megabyte,
  clients: 100,
  clientsOfAddress: 20,
  recipients: 20,
  idleMs: 60_000,
  /** Time limit from DATA to the last byte of a mail, because until then its bytes take up memory. */
  dataMs: 5 * 60_000,
  /** Time limit of a connection, even if active: a client that sends a byte now and then must not occupy a connection forever. */
  longestMs: 30 * 60_000,
};

export interface KnownRecipient {
  organization_id: string;
  to_address: string;
  for: Recipient['for'];
}

/** A mail to several addresses of an organization is stored once, for the most specific address. */
export function mostTelling(recipients: KnownRecipient[]): KnownRecipient | undefined {
  const order: Recipient['for'][] = ['ticket', 'bounce', 'anything'];
  return recipients.toSorted((a, b) => order.indexOf(a.for) - order.indexOf(b.for))[0];
}

/** A completely received mail, or why there is none. */
export type Received = Buffer | 'too_large' | 'no_room' | 'late';

/** The part of an incoming mail that has been received so far. */
interface Held {
  client: string;
  chunks: Buffer[];
  bytes: number;
}

/** Tracks open connections and incoming mails. */
export class Receiving {
  readonly #connected = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  /** Bytes in memory, by client. */
  readonly #held = new Map<string, number>();

  /** False if this client already has its maximum number of connections. */
  enter(session_id: string, address: string): boolean {
    const client = clientOf(address);
    const own = [...this.#connected.values()].filter((each) => each === client).length;
    if (own >= smtpLimits.clientsOfAddress) return false;
    this.#connected.set(session_id, client);
    return true;
  }
  leave(session_id: string): void {
    this.#connected.delete(session_id);
  }

  track(work: Promise<void>): Promise<void> {
    const settled = work.catch(() => undefined).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return work;
  }

  /** Waits until all incoming mails are processed, but at most `withinMs`. */
  async untilDone(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.all(this.#running), over]).finally(() => clearTimeout(timer));
  }

  /**
   * Reads a mail to its end and passes it to `use`. Discards the rest of a mail that is too large or exceeds the memory limits, because a
   * sender reads the reply only after its last byte. A mail that takes too long is `late` and discarded. Memory counts until `use` ends.
   */
  async receive(stream: SMTPServerDataStream, address: string, use: (mail: Received) => Promise<void>): Promise<void> {
    const held: Held = { client: clientOf(address), chunks: [], bytes: 0 };
    let isLate = false;
    const deadline = setTimeout(() => {
      isLate = true;
      stream.destroy();
    }, smtpLimits.dataMs);
    try {
      const read = await this.#read(stream, held).catch(() => (isLate ? ('late' as const) : ('broken' as const)));
      clearTimeout(deadline);
      // Broken: the connection ended within the mail, so there is no client to reply to.
      if (read === 'whole') await use(Buffer.concat(held.chunks));
      else if (read !== 'broken') await use(read);
    } finally {
      clearTimeout(deadline);
      this.#letGo(held);
    }
  }

  async #read(stream: SMTPServerDataStream, held: Held): Promise<'whole' | 'too_large' | 'no_room'> {
    let noRoom = false;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (noRoom || stream.sizeExceeded) continue;
      noRoom = !this.#hasRoom(held.client, chunk.length);
      if (noRoom) this.#letGo(held);
      else {
        held.chunks.push(chunk);
        held.bytes += chunk.length;
        this.#hold(held.client, chunk.length);
      }
    }
    if (stream.sizeExceeded) return 'too_large';
    return noRoom ? 'no_room' : 'whole';
  }

  #hasRoom(client: string, bytes: number): boolean {
    const all = [...this.#held.values()].reduce((sum, each) => sum + each, 0);
    return all + bytes <= smtpLimits.heldBytes && (this.#held.get(client) ?? 0) + bytes <= smtpLimits.heldBytesOfClient;
  }

  #hold(client: string, bytes: number): void {
    const now = (this.#held.get(client) ?? 0) + bytes;
    if (now > 0) this.#held.set(client, now);
    else this.#held.delete(client);
  }

  #letGo(held: Held): void {
    this.#hold(held.client, -held.bytes);
    Object.assign(held, { chunks: [], bytes: 0 });
  }
}
