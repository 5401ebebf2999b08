import { AppError } from '@tandem/contracts';
import { LiveEvents } from '@tandem/messaging';
import { Drain } from '@tandem/platform';
import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { customerEffectOf } from './customer-events';
import { heartbeatMs, OpenStream } from './open-stream';

/** Per ticket: a customer with the page open on three devices. Per address: a family or a small office. */
const streamsPerTicket = 3;
const streamsPerAddress = 20;
/** After this time the browser reconnects, which checks again whether it may read the ticket. */
const maxStreamMs = 30 * 60_000;

interface Follower {
  ticket_id: string;
  address: string;
  to: OpenStream;
}

/** A subscription that has started before the stream is open, so that no event is missed in between. */
export interface Following {
  open(response: ServerResponse): void;
  /** Cancels the subscription if the stream is not opened. */
  drop(): void;
}

/** The open ticket streams of customers in this process. */
@Injectable()
export class TicketStreams {
  private readonly followers = new Set<Follower>();

  constructor(
    private readonly live: LiveEvents,
    private readonly drain: Drain,
  ) {
    drain.signal.addEventListener('abort', () => {
      for (const { to } of this.followers) to.close();
    });
  }

  get openCount(): number {
    return this.followers.size;
  }

  /** Throws `limit.exceeded` if the client has too many streams, and `service.unavailable` during shutdown. */
  admit(ticket_id: string, address: string): void {
    if (this.drain.started) throw new AppError('service.unavailable', { retryAfterSeconds: 1 });
    const all = [...this.followers];
    const isFull =
      all.filter((each) => each.ticket_id === ticket_id).length >= streamsPerTicket ||
      all.filter((each) => each.address === address).length >= streamsPerAddress;
    if (isFull) throw new AppError('limit.exceeded', { detail: 'Too many live connections.', retryAfterSeconds: 30 });
  }

  /** Subscribes before the service checks access, so that a change to the customer's address in between is noticed. */
  follow(organization_id: string, ticket_id: string, address: string): Following {
    const early: string[] = [];
    let dropped = false;
    let notify: (type: string) => void = (type) => early.push(type);
    let drop: () => void = () => (dropped = true);
    const unsubscribe = this.live.subscribe(organization_id, ({ type, subject }, data) => {
      if (subject !== ticket_id) return;
      const effect = customerEffectOf(type, data);
      if (effect === 'notify') notify(type);
      if (effect === 'drop') drop();
    });
    return {
      drop: unsubscribe,
      open: (response) => {
        const to = new OpenStream(response);
        to.onClose(unsubscribe);
        this.add({ ticket_id, address, to });
        let sequence = 0;
        // Numbered per connection: gaps in the ticket's own sequence would reveal events that the customer may not see.
        notify = (type) => to.write(`data: ${JSON.stringify({ type, sequence: (sequence += 1) })}\n\n`);
        drop = () => to.close();
        early.forEach(notify);
        if (dropped) drop();
      },
    };
  }

  private add(follower: Follower): void {
    const { to } = follower;
    const heartbeat = setInterval(() => to.beat(), heartbeatMs);
    const end = setTimeout(() => to.close(), maxStreamMs);
    to.onClose(() => {
      this.followers.delete(follower);
      clearInterval(heartbeat);
      clearTimeout(end);
    });
    this.followers.add(follower);
    to.begin();
  }
}
