import { AppError, listChanges, publicEvents, type Context, type OutputOf } from '@tandem/contracts';
import { isArticleEvent } from '@tandem/contracts/values';
import { AccessChanges, ApiTokenChanges, LiveEvents, Services } from '@tandem/messaging';
import { Drain } from '@tandem/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { RedisLimitStorage } from '../limits/redis-limit-storage';
import { heartbeatMs, OpenStream } from '../live/open-stream';

/** A program needs one; more than this is a leak. */
const streamsPerCaller = 10;
const streamsPerOrganization = 50;
const pageSize = 100;
/** The live notice of an event can arrive before notifications has stored it: the delays after which it is read again. */
const retryDelaysMs = [20, 50, 100, 250, 500, 1_000, 2_000];

const publicTypes: ReadonlySet<string> = new Set(publicEvents.map(({ type }) => type).filter((type) => !isArticleEvent(type)));

export type ChangesPage = OutputOf<typeof listChanges>;
/** The reader of a stream, and until when it is allowed to read, in ms since 1970. */
export interface StreamCaller {
  ctx: Context & { organization_id: string };
  until: number;
  /** The version of the access token, if the caller has a session. */
  access_version?: number;
}
interface ChangeStream extends StreamCaller {
  to: OpenStream;
  include_internal_notes: 'true' | 'false';
}

const callerIdOf = ({ actor }: Context): string => (actor.type === 'user' ? actor.user_id : actor.type === 'token' ? actor.token_id : '');

/** The open streams of changes in this process. */
@Injectable()
export class ChangeStreams {
  private readonly streams = new Set<ChangeStream>();

  constructor(
    @Inject(Services) private readonly services: Pick<Services, 'call'>,
    @Inject(LiveEvents) private readonly live: Pick<LiveEvents, 'subscribe'>,
    private readonly limits: RedisLimitStorage,
    @Inject(Drain) private readonly drain: Drain,
    access: AccessChanges,
    tokens: ApiTokenChanges,
  ) {
    // The program connects again, which checks the current state of the token.
    tokens.onChange((token_id) => this.closeWhere(({ ctx }) => ctx.actor.type === 'token' && ctx.actor.token_id === token_id));
    access.onChange(({ user_id, access_version }) =>
      this.closeWhere((stream) => callerIdOf(stream.ctx) === user_id && (stream.access_version ?? 0) < access_version),
    );
    drain.signal.addEventListener('abort', () => this.closeWhere(() => true));
  }

  get openCount(): number {
    return this.streams.size;
  }

  /** Throws `limit.exceeded` if the client has too many streams, and `service.unavailable` during shutdown. */
  admit({ ctx }: StreamCaller): void {
    if (this.drain.started) throw new AppError('service.unavailable', { retryAfterSeconds: 1 });
    const open = [...this.streams].filter((stream) => stream.ctx.organization_id === ctx.organization_id);
    const own = open.filter((stream) => callerIdOf(stream.ctx) === callerIdOf(ctx));
    if (own.length >= streamsPerCaller || open.length >= streamsPerOrganization)
      throw new AppError('limit.exceeded', { detail: `At most ${streamsPerCaller} streams of changes.`, retryAfterSeconds: 30 });
  }

  read(ctx: Context, after: string | undefined, include_internal_notes: 'true' | 'false'): Promise<ChangesPage> {
    return this.services.call(listChanges, ctx, { query: { after, include_internal_notes, limit: pageSize } });
  }

  /** Sends the first page, which the caller has read, and then all changes until the client disconnects or is no longer allowed to read them. */
  open(caller: StreamCaller, include_internal_notes: 'true' | 'false', first: ChangesPage, response: ServerResponse): void {
    const to = new OpenStream(response);
    const stream: ChangeStream = { ...caller, include_internal_notes, to };
    const end = setTimeout(() => to.close(), Math.max(0, caller.until - Date.now()));
    to.onClose(() => clearTimeout(end));
    to.onClose(() => this.streams.delete(stream));
    this.streams.add(stream);
    to.begin();
    void this.follow(stream, first);
  }

  private async follow(stream: ChangeStream, first: ChangesPage): Promise<void> {
    const { to, ctx } = stream;
    const awaited = new Set<string>();
    let tries = 0;
    let wake = () => {};
    to.onClose(
      this.live.subscribe(ctx.organization_id, ({ id, type }) => {
        if (!publicTypes.has(type)) return;
        awaited.add(`evt_${id}`);
        tries = 0;
        wake();
      }),
    );
    to.onClose(() => wake());
    const woken = (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => (clearTimeout(timer), resolve());
      });
    let page: ChangesPage | undefined = first;
    // Events between the first page and the subscription are read immediately.
    let mayWait = false;
    let after = first.next;
    let beatAt = Date.now() + heartbeatMs;
    while (to.isOpen) {
      if (page) {
        await this.send(to, page);
        after = page.next;
        for (const { id } of page.events) awaited.delete(id);
      }
      if (mayWait && (!page || page.end_of_stream)) {
        if (tries >= retryDelaysMs.length) awaited.clear();
        await woken(Math.min(awaited.size > 0 ? retryDelaysMs[tries++]! : Infinity, Math.max(0, beatAt - Date.now())));
      }
      mayWait = true;
      if (Date.now() >= beatAt) {
        if (await this.hasEnded(stream)) return to.close();
        to.beat();
        beatAt = Date.now() + heartbeatMs;
      }
      if (to.isOpen) page = await this.readNext(stream, after);
    }
  }

  private async send(to: OpenStream, { events, positions, next }: ChangesPage): Promise<void> {
    for (const [i, event] of events.entries()) {
      await to.drained();
      to.write(`id: ${positions[i]}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    // Without an event, the id is where a client that connects again continues.
    if (events.length === 0) to.write(`id: ${next}\n\n`);
  }

  /** Undefined while it cannot be read. */
  private async readNext({ ctx, to, include_internal_notes }: ChangeStream, after: string): Promise<ChangesPage | undefined> {
    try {
      const page = await this.read(ctx, after, include_internal_notes);
      return page.events.length > 0 ? page : undefined;
    } catch (error) {
      const isRefused = error instanceof AppError && error.status < 500;
      if (isRefused) to.close();
      return undefined;
    }
  }

  private async hasEnded({ ctx: { actor } }: ChangeStream): Promise<boolean> {
    if (actor.type !== 'user') return false;
    // Without Redis this cannot be checked; reads continue then, as everywhere.
    return this.limits.hasEnded(actor.session_id).catch(() => false);
  }

  private closeWhere(matches: (stream: ChangeStream) => boolean): void {
    for (const stream of this.streams) if (matches(stream)) stream.to.close();
  }
}
