import type { SMTPServerDataStream } from 'smtp-server';
import type { Recipient } from './mail';

const megabyte = 1024 * 1024;
/** What the listener takes at once. A process holds at most `heldBytes` of mails that are coming in: whoever is over that comes again. */
export const smtpLimits = {
  bytes: 25 * megabyte,
  heldBytes: 75 * megabyte,
  clients: 100,
  clientsOfAddress: 20,
  recipients: 20,
  idleMs: 60_000,
  /** Of one connection, however busy: a byte now and then must not hold a place for ever. */
  longestMs: 30 * 60_000,
} as const;

export interface KnownRecipient {
  organization_id: string;
  to_address: string;
  for: Recipient['for'];
}

/** A mail to several addresses of one organization is one mail there: for the address that says most about it. */
export function onePerOrganization(recipients: KnownRecipient[]): KnownRecipient[] {
  const order: Recipient['for'][] = ['ticket', 'bounce', 'anything'];
  const sorted = recipients.toSorted((a, b) => order.indexOf(a.for) - order.indexOf(b.for));
  return [...new Map(sorted.toReversed().map((recipient) => [recipient.organization_id, recipient])).values()];
}

/** Who is connected, and what is on its way in. */
export class Receiving {
  readonly #connected = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  #held = 0;

  /** False when this address has its share of connections. */
  enter(session_id: string, address: string): boolean {
    const own = [...this.#connected.values()].filter((each) => each === address).length;
    if (own >= smtpLimits.clientsOfAddress) return false;
    this.#connected.set(session_id, address);
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

  /** Until the mails that are coming in are in, or the time is over. */
  async untilDone(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.all(this.#running), over]).finally(() => clearTimeout(timer));
  }

  /**
   * Reads the mail to its end and hands it on. What is too large, or finds no room, is read on and thrown away: only after its last byte a
   * sender listens. Its room is free again once the work with it has ended.
   */
  async receive(stream: SMTPServerDataStream, use: (mail: Buffer | 'too_large' | 'no_room') => Promise<void>): Promise<void> {
    const held = { chunks: [] as Buffer[], bytes: 0 };
    try {
      const read = await this.#read(stream, held).catch(() => 'broken' as const);
      // Broken: the connection ended before the mail did, and nobody waits for an answer.
      if (read === 'whole') await use(Buffer.concat(held.chunks));
      else if (read !== 'broken') await use(read);
    } finally {
      this.#letGo(held);
    }
  }

  async #read(stream: SMTPServerDataStream, held: { chunks: Buffer[]; bytes: number }): Promise<'whole' | 'too_large' | 'no_room'> {
    let noRoom = false;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (noRoom || stream.sizeExceeded) continue;
      noRoom = this.#held + chunk.length > smtpLimits.heldBytes;
      if (noRoom) this.#letGo(held);
      else {
        held.chunks.push(chunk);
        held.bytes += chunk.length;
        this.#held += chunk.length;
      }
    }
    if (stream.sizeExceeded) return 'too_large';
    return noRoom ? 'no_room' : 'whole';
  }

  #letGo(held: { chunks: Buffer[]; bytes: number }): void {
    this.#held -= held.bytes;
    Object.assign(held, { chunks: [], bytes: 0 });
  }
}
