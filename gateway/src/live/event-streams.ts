import { AppError } from '@tandem/contracts';
import { AccessChanges, LiveEvents } from '@tandem/messaging';
import { Drain } from '@tandem/platform';
import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { SessionClaims } from '../auth/access-token';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { PresenceBoard } from './presence';
import { heartbeatMs, OpenStream } from './open-stream';

/** A browser keeps one per tab; more than this is a leak or an attack. */
const streamsPerUser = 10;

interface Stream {
  claims: SessionClaims;
  to: OpenStream;
}

/** The open event streams of this process: who has how many, and when each must end. */
@Injectable()
export class EventStreams {
  private readonly streams = new Set<Stream>();

  constructor(
    private readonly live: LiveEvents,
    private readonly limits: RedisLimitStorage,
    private readonly drain: Drain,
    private readonly changes: AccessChanges,
    private readonly presence: PresenceBoard,
  ) {
    changes.onChange(({ user_id, access_version }) => this.endSuperseded(user_id, access_version));
    // A stream is a request that never finishes: a process that leaves must not wait for it.
    drain.signal.addEventListener('abort', () => this.closeAll());
  }

  /** Throws `limit.exceeded` for one stream too many, `service.unavailable` while shutting down. */
  admit(claims: SessionClaims): void {
    // Asked again: the access may have changed while the request was counted, and then nobody would close the stream.
    if (this.changes.isSuperseded(claims.sub, claims.ver)) throw new AppError('session.expired');
    if (this.drain.started) throw new AppError('service.unavailable', { retryAfterSeconds: 1 });
    const open = [...this.streams].filter((stream) => stream.claims.sub === claims.sub).length;
    if (open >= streamsPerUser)
      throw new AppError('limit.exceeded', { detail: `Not more than ${streamsPerUser} live connections at once.`, retryAfterSeconds: 30 });
  }

  /** Writes events of the bearer's organization until the client leaves or the session ends. The response's head has been written. */
  open(claims: SessionClaims, organization_id: string, response: ServerResponse): void {
    const to = new OpenStream(response);
    const stream: Stream = { claims, to };
    const heartbeat = setInterval(() => void this.beat(stream), heartbeatMs);
    // At its idle limit the session is over unless it was refreshed: then the browser connects again, with the newer cookie.
    const end = setTimeout(() => to.close(), Math.max(0, Math.min(claims.idle, claims.abs) * 1000 - Date.now()));
    to.onClose(() => this.streams.delete(stream));
    to.onClose(() => clearInterval(heartbeat));
    to.onClose(() => clearTimeout(end));
    to.onClose(
      this.live.subscribe(organization_id, ({ id, type, subject, sequence }) => {
        to.write(`id: ${id}\ndata: ${JSON.stringify({ id, type, subject, sequence })}\n\n`);
      }),
    );
    to.onClose(
      this.presence.subscribe(organization_id, (presence) => {
        to.write(`event: presence\ndata: ${JSON.stringify(presence)}\n\n`);
      }),
    );
    this.streams.add(stream);
    to.begin();
  }

  /** Ends the streams of a session that has signed out at this replica; others notice at their next heartbeat. */
  endSession(session_id: string): void {
    for (const stream of this.streams) if (stream.claims.sid === session_id) stream.to.close();
  }

  /** What a person may do has changed: their browsers are told so, and connect again with a token that says what holds now. */
  private endSuperseded(user_id: string, access_version: number): void {
    for (const stream of this.streams) {
      if (stream.claims.sub !== user_id || stream.claims.ver >= access_version) continue;
      stream.to.write('event: access\ndata: {}\n\n');
      stream.to.close();
    }
  }

  private async beat({ claims, to }: Stream): Promise<void> {
    // Without Redis nobody can tell: reading goes on, as everywhere.
    const hasEnded = await this.limits.hasEnded(claims.sid).catch(() => false);
    if (hasEnded) to.close();
    else to.beat();
  }

  private closeAll(): void {
    for (const { to } of this.streams) to.close();
  }
}
