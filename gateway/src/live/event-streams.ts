import { AppError, ticketMarkedUnread, ticketRead } from '@tandem/contracts';
import { AccessChanges, LiveEvents } from '@tandem/messaging';
import { Drain } from '@tandem/platform';
import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { SessionClaims } from '../auth/access-token';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { PresenceStore } from './presence';
import { heartbeatMs, OpenStream } from './open-stream';

/** A browser opens one per tab; more than this is a leak or an attack. */
const streamsPerUser = 10;

/** Events that concern only the pages of the user who caused them. */
const ofOwnUser: ReadonlySet<string> = new Set([ticketRead.type, ticketMarkedUnread.type]);

interface Stream {
  claims: SessionClaims;
  to: OpenStream;
}

/** The open event streams of this process: limits them per user and closes them in time. */
@Injectable()
export class EventStreams {
  private readonly streams = new Set<Stream>();

  constructor(
    private readonly live: LiveEvents,
    private readonly limits: RedisLimitStorage,
    private readonly drain: Drain,
    private readonly changes: AccessChanges,
    private readonly presence: PresenceStore,
  ) {
    changes.onChange(({ user_id, access_version }) => this.endSuperseded(user_id, access_version));
    // A stream is a request that never finishes: shutdown must not wait for it.
    drain.signal.addEventListener('abort', () => this.closeAll());
  }

  get openCount(): number {
    return this.streams.size;
  }

  /** Throws `limit.exceeded` if the client has too many streams, and `service.unavailable` during shutdown. */
  admit(claims: SessionClaims): void {
    // Check again: access may have changed while the request passed the limiter, and that event would miss a stream that is not open yet.
    if (this.changes.isSuperseded(claims.sub, claims.ver)) throw new AppError('session.expired');
    if (this.drain.started) throw new AppError('service.unavailable', { retryAfterSeconds: 1 });
    const open = [...this.streams].filter((stream) => stream.claims.sub === claims.sub).length;
    if (open >= streamsPerUser)
      throw new AppError('limit.exceeded', { detail: `At most ${streamsPerUser} live connections per user.`, retryAfterSeconds: 30 });
  }

  /** Streams events of the user's organization, beginning `sinceMs` ago, until the client disconnects or the session ends. The response headers have been sent. */
  open(claims: SessionClaims, organization_id: string, response: ServerResponse, sinceMs: number): void {
    const to = new OpenStream(response);
    const stream: Stream = { claims, to };
    const heartbeat = setInterval(() => void this.beat(stream), heartbeatMs);
    // When the idle deadline passes, the session has ended unless it was refreshed; then the browser reconnects with its newer cookie.
    const end = setTimeout(() => to.close(), Math.max(0, Math.min(claims.idle, claims.abs) * 1000 - Date.now()));
    to.onClose(() => this.streams.delete(stream));
    to.onClose(() => clearInterval(heartbeat));
    to.onClose(() => clearTimeout(end));
    to.begin();
    const pass: Parameters<LiveEvents['subscribe']>[1] = ({ id, type, subject, sequence }, _data, actor) => {
      // Does not contain the actor: a browser needs to know only whether its own user did it, perhaps in another tab.
      const own = actor.type === 'user' && actor.user_id === claims.sub;
      if (!own && ofOwnUser.has(type)) return;
      to.write(`id: ${id}\ndata: ${JSON.stringify({ id, type, subject, sequence, own })}\n\n`);
    };
    to.onClose(this.live.subscribe(organization_id, pass, sinceMs));
    to.onClose(
      this.presence.subscribe(organization_id, (presence) => {
        to.write(`event: presence\ndata: ${JSON.stringify(presence)}\n\n`);
      }),
    );
    this.streams.add(stream);
  }

  /** Closes the streams of a session that signed out at this replica; other replicas notice at their next heartbeat. */
  endSession(session_id: string): void {
    for (const stream of this.streams) if (stream.claims.sid === session_id) stream.to.close();
  }

  /** Closes the streams of a user whose access has changed. The `access` event makes the browser reconnect with a new token. */
  private endSuperseded(user_id: string, access_version: number): void {
    for (const stream of this.streams) {
      if (stream.claims.sub !== user_id || stream.claims.ver >= access_version) continue;
      stream.to.write('event: access\ndata: {}\n\n');
      stream.to.close();
    }
  }

  private async beat({ claims, to }: Stream): Promise<void> {
    // Without Redis this cannot be checked; reads continue then, as everywhere.
    const hasEnded = await this.limits.hasEnded(claims.sid).catch(() => false);
    if (hasEnded) to.close();
    else to.beat();
  }

  private closeAll(): void {
    for (const { to } of this.streams) to.close();
  }
}
