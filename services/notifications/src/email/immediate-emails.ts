import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { sendEmail, type Context, type JobDataOf } from '@tandem/contracts';
import { afterCommit, afterRollback, type Tx } from '@tandem/db';
import { HandlesJob, Jobs, waitForDisk, type Attempt } from '@tandem/messaging';
import { injectTrace, withTrace, type Logger } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import type { ComposeInput } from './compose';
import { claimSeconds, subjectOf } from './email';
import { claimEmails, markSent, tableOf, type Email } from './email.store';
import { MailServerFailed } from '../mail-server/mail-server-failure';
import { EmailWorker, isFinal, recordRetryMs, type ClaimedEmail } from './email.worker';

/** As many as the connections of the mail server's pool: a claimed email must not wait for one. */
const maxUnderWay = 10;
/** A lane waits for this much room, so that one transaction claims several emails. */
const minRoom = 5;
/** Further emails are left to jobs, which other replicas share. */
const maxQueued = 1_000;
/** A result waits this long for others of its lane or for its next emails, to be stored with them in one transaction. */
const recordDelayMs = 100;
/** Composing an email blocks the process for a millisecond or two. Webhooks of the same event, which a program may be waiting for, go first. */
const composeDelayMs = 10;

interface Queued {
  id: string;
  ctx: Context;
  traceparent: string | undefined;
}
interface Finished {
  ctx: Context;
  claimed: ClaimedEmail;
  error: unknown;
  at: number;
}

/** Emails of one organization, or of users without one: their transactions run one after another. */
class Lane {
  queued: Queued[] = [];
  finished: Finished[] = [];
  underWay = 0;
  isRunning = false;
  timer: NodeJS.Timeout | undefined;

  constructor(readonly ctx: Context) {}
}

/**
 * Sends emails right after the commit of their rows, without a job: under load one transaction stores the results of several emails and
 * claims the next ones. A job adds an email that is delayed, or that another process could not take. Emails that failed are sent one by one
 * by jobs (`EmailWorker`). If the process dies, the rows are pending, or their claims expire, and the next sweep adds jobs for them.
 */
@Injectable()
export class ImmediateEmails implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that found too little room, the one that has waited longest first. */
  readonly #waiting = new Set<Lane>();
  #queued = 0;
  #underWay = 0;
  #isStopping = false;

  constructor(
    private readonly worker: EmailWorker,
    private readonly jobs: Jobs,
    @Inject('LOG') private readonly log: Logger,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  onModuleDestroy(): void {
    this.#isStopping = true;
  }

  /**
   * Emails that have been claimed are sent, and their results stored; a sweep of another process finds the others. Transactions that have
   * reserved room may claim more.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const until = Date.now() + this.config.SHUTDOWN_GRACE_MS;
    const isBusy = () =>
      this.#underWay > 0 || [...this.#lanes.values()].some((lane) => lane.isRunning || lane.underWay + lane.finished.length > 0);
    while (Date.now() < until && isBusy()) await sleep(10);
    for (const { timer } of this.#lanes.values()) clearTimeout(timer);
  }

  /** Whether this process can take another email. */
  get canSend(): boolean {
    return this.config.RUN.includes('jobs') && !this.#isStopping && this.#queued < maxQueued;
  }

  /** Sends a saved email once the transaction has committed. */
  send(tx: Tx<NotificationsSchema>, ctx: Context, id: string): void {
    const traceparent = injectTrace();
    afterCommit(tx, () => this.#enqueue({ id, ctx, traceparent }));
  }

  /** Emails that are due at about the same time are claimed together, too. */
  @HandlesJob(sendEmail, { concurrency: 10 })
  async sendByJob(ctx: Context, data: JobDataOf<typeof sendEmail>, attempt: Attempt): Promise<void> {
    if (!data.is_first || attempt.number > 1 || !this.canSend) return this.worker.send(ctx, data, attempt);
    this.#enqueue({ id: data.email_id, ctx, traceparent: injectTrace() });
  }

  /** How many of these emails the transaction may claim for `sendClaimed`. Their room is reserved until the transaction ends. */
  reserve(tx: Tx<NotificationsSchema>, wanted: number): number {
    // Emails that wait for room come first.
    const reserved = this.canSend && this.#queued === 0 ? Math.max(0, Math.min(wanted, this.#room)) : 0;
    if (reserved === 0) return 0;
    this.#underWay += reserved;
    const giveBack = () => {
      this.#underWay -= reserved;
      this.#wakeWaiting();
    };
    afterCommit(tx, giveBack);
    afterRollback(tx, giveBack);
    return reserved;
  }

  /** Sends emails that the transaction has claimed, once it has committed. It waits for the disk: after a crash they must not be sent again. */
  async sendClaimed(tx: Tx<NotificationsSchema>, emails: { ctx: Context; email: Email; input: ComposeInput }[]): Promise<void> {
    if (emails.length === 0) return;
    waitForDisk(tx);
    const traceparent = injectTrace();
    const prepared = await this.worker.prepare(tx, emails);
    afterCommit(tx, () => {
      for (const [i, claimed] of prepared.entries()) {
        if (!claimed) continue;
        const { ctx } = emails[i]!;
        this.#underWay += 1;
        this.#attempt(this.#laneOf(ctx), { ...claimed, id: claimed.email.id, ctx, traceparent });
      }
    });
  }

  #enqueue(email: Queued): void {
    const lane = this.#laneOf(email.ctx);
    lane.queued.push(email);
    this.#queued += 1;
    this.#wake(lane);
  }

  #laneOf(ctx: Context): Lane {
    const key = ctx.organization_id ?? '';
    const lane = this.#lanes.get(key) ?? new Lane(ctx);
    this.#lanes.set(key, lane);
    return lane;
  }

  get #room(): number {
    return maxUnderWay - this.#underWay;
  }

  #wake(lane: Lane): void {
    if (lane.isRunning) return;
    lane.isRunning = true;
    clearTimeout(lane.timer);
    lane.timer = undefined;
    // Emails that are saved in the same turn of the event loop are claimed together.
    setImmediate(() => void this.#run(lane));
  }

  async #run(lane: Lane): Promise<void> {
    while (lane.finished.length > 0 || (lane.queued.length > 0 && this.#room >= minRoom && !this.#isStopping)) {
      const finished = lane.finished.splice(0);
      const queued = this.#room >= minRoom && !this.#isStopping ? lane.queued.splice(0, this.#room) : [];
      this.#queued -= queued.length;
      // Taken before the transaction, so that other lanes do not take the same room.
      this.#underWay += queued.length;
      try {
        const claimed = await this.worker.inScope(lane.ctx, (tx) => this.#next(tx, lane.ctx, finished, queued));
        this.#underWay -= queued.length - claimed.length;
        for (const each of claimed) this.#attempt(lane, each);
      } catch (error) {
        this.#underWay -= queued.length;
        this.log.warn({ err: error }, 'Sending emails was interrupted; a sweep will continue');
        // They have been sent: until their claims expire, storing that is tried again.
        lane.finished.push(...finished.filter(({ at }) => Date.now() - at < claimSeconds * 1_000));
        await sleep(recordRetryMs, undefined, { ref: false });
      }
    }
    lane.isRunning = false;
    if (lane.queued.length > 0) this.#waiting.add(lane);
    else if (lane.underWay === 0) this.#lanes.delete(lane.ctx.organization_id ?? '');
  }

  /** Stores the results and claims the next emails, in one transaction. */
  async #next(tx: Tx<NotificationsSchema>, scope: Context, finished: Finished[], queued: Queued[]): Promise<(ClaimedEmail & Queued)[]> {
    await this.#record(tx, scope, finished);
    if (queued.length === 0) return [];
    const byId = new Map(queued.map((each) => [each.id, each]));
    const claimed = await claimEmails(tx, tableOf(scope), [...byId.keys()]);
    // In the same order as in `#record`, because preparing an email can publish the invitation to a survey.
    const emails = claimed.toSorted((a, b) => (subjectOf(a) < subjectOf(b) ? -1 : 1));
    // Another process has claimed them, or they are not due yet by PostgreSQL's clock.
    const own = new Set(emails.map(({ id }) => id));
    for (const { id, ctx } of queued.filter((each) => !own.has(each.id)))
      this.jobs.add(tx, ctx, sendEmail, { email_id: id }, { id, delayMs: sendEmail.backoffMs[0] });
    const prepared = await this.worker.prepare(
      tx,
      emails.map((email) => ({ ctx: byId.get(email.id)!.ctx, email })),
    );
    return prepared.flatMap((each) => (each ? [{ ...each, ...byId.get(each.email.id)! }] : []));
  }

  async #record(tx: Tx<NotificationsSchema>, scope: Context, finished: Finished[]): Promise<void> {
    const sent = finished.filter(({ error }) => error === undefined);
    const ids = sent.map(({ claimed }) => claimed.email.id);
    if (ids.length > 0) markSent(tx, tableOf(scope), ids);
    // The events lock the rows of their subjects: in the same order everywhere, so that two processes cannot deadlock. Failures of the server
    // come last, because the event about it has another subject.
    const order = ({ claimed, error }: Finished) => `${error instanceof MailServerFailed ? 1 : 0} ${subjectOf(claimed.email)}`;
    const sorted = finished.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
    if (sent.length === sorted.length) await this.worker.announceSent(tx, scope, sorted);
    else for (const each of sorted) await this.#recordOne(tx, scope, each);
    await this.worker.recordWorkingServer(
      tx,
      scope,
      sent.map(({ claimed }) => claimed),
    );
  }

  async #recordOne(tx: Tx<NotificationsSchema>, scope: Context, { ctx, claimed, error }: Finished): Promise<void> {
    if (error === undefined) return this.worker.announceSent(tx, scope, [{ ctx, claimed }]);
    const { email } = claimed;
    const waits = await this.worker.recordFailure(tx, ctx, claimed, isFinal(error), error);
    if (!waits && !isFinal(error))
      this.jobs.add(tx, ctx, sendEmail, { email_id: email.id }, { id: email.id, delayMs: sendEmail.backoffMs[0] });
  }

  #attempt(lane: Lane, { ctx, traceparent, ...claimed }: ClaimedEmail & Queued): void {
    lane.underWay += 1;
    void sleep(composeDelayMs)
      .then(async () => withTrace(traceparent, 'send email', async () => this.worker.deliver(claimed)))
      .then(
        () => undefined,
        (error: unknown) => {
          this.log.warn({ err: error, email_id: claimed.email.id }, 'An email was not sent');
          return error ?? new Error('unknown');
        },
      )
      .then((error) => {
        lane.underWay -= 1;
        this.#underWay -= 1;
        lane.finished.push({ ctx, claimed, error, at: Date.now() });
        const isDue = lane.underWay === 0 && lane.queued.length > 0;
        if (isDue || this.#isStopping) this.#wake(lane);
        else if (!lane.isRunning) lane.timer ??= setTimeout(() => this.#wake(lane), recordDelayMs);
        this.#wakeWaiting();
      });
  }

  #wakeWaiting(): void {
    if (this.#room < minRoom) return;
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    this.#wake(next);
  }
}
