import { Permanent, type Context, type ContextOfJob, type JobDataOf, type JobType } from '@tandem/contracts';
import { afterCommit, DatabaseUnavailable } from '@tandem/db';
import { injectTrace, type Logger } from '@tandem/platform';
import { Queue, type Job, type JobsOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { addMethodMetadata, type MethodDecoratorFor } from '../method-metadata';
import type { AnyTx } from '../any-tx';
import { connectRedis } from '../redis';
import { settledWithin } from './settled-within';

export const jobHandlers = Symbol('tandem.works');
export const jobSweeps = Symbol('tandem.sweeps');

export interface JobHandlerMetadata {
  job: JobType;
  options: HandlesJobOptions;
}
export interface HandlesJobOptions {
  /** Maximum number of jobs of the queue that run at once in each process; default 5. */
  concurrency?: number;
}
/** Number of the attempt, from 1. After the `last` one only the sweeper runs the job again. */
export interface Attempt {
  number: number;
  last: boolean;
}
/** Thrown by a handler if another process works on its row, or the row is not due yet. */
export class NotYet extends Error {}

/** The pause after an attempt that does not count. */
export const uncountedPauseMs = 5_000;

/**
 * Whether an attempt that failed with this error counts. If those during an outage of PostgreSQL did, the pauses, which have grown to minutes
 * by its end, would delay the work after it.
 */
export const isCounted = (error: unknown): boolean => !(error instanceof NotYet || error instanceof DatabaseUnavailable);

/** A database row whose job has not been done yet. */
export interface PendingJob<J extends JobType = JobType> {
  id: string;
  ctx: ContextOfJob<J>;
  data: JobDataOf<J>;
}

/**
 * Runs a job. It may be called twice for the same row (a worker that died, a sweep), so it must check the row before it acts.
 * `Permanent` ends the retries; any other failure is retried after the job's pause. `NotYet` and `DatabaseUnavailable` do not
 * count as attempts.
 */
export function HandlesJob<J extends JobType>(
  job: J,
  options: HandlesJobOptions = {},
): MethodDecoratorFor<(ctx: ContextOfJob<J>, data: JobDataOf<J>, attempt: Attempt) => unknown> {
  return (_target, _key, descriptor) => addMethodMetadata(jobHandlers, descriptor.value, { job, options } satisfies JobHandlerMetadata);
}

/**
 * Lists the rows that are still pending, in case Redis has lost their jobs: called at start, after each outage of
 * Redis and every SWEEP_MS. A job that is still in the queue is not duplicated.
 */
export function Recovers<J extends JobType>(job: J): MethodDecoratorFor<() => PendingJob<J>[] | Promise<PendingJob<J>[]>> {
  return (_target, _key, descriptor) => addMethodMetadata(jobSweeps, descriptor.value, job);
}

export interface QueueState {
  waiting: number;
  active: number;
  /** Jobs that run later: delayed, or between two attempts. */
  delayed: number;
  waitingSince: number | undefined;
}

/** A job as stored in Redis. */
export interface StoredJob {
  ctx: Context;
  data: unknown;
  traceparent: string | null;
}

export interface JobsConfig {
  REDIS_URL: string;
  REDIS_PREFIX: string;
}

/** BullMQ's prefix: its keys are `{REDIS_PREFIX}:jobs:{queue}:…`. */
export const prefixOf = (config: JobsConfig): string => `${config.REDIS_PREFIX}:jobs`;

/** Enqueues jobs. If Redis rejects or loses a job, the sweeper adds it again from the database row. */
export class Jobs {
  readonly #queues = new Map<string, Queue<StoredJob>>();
  #redis: Redis | undefined;
  #closed = false;

  constructor(
    private readonly config: JobsConfig,
    private readonly log: Logger,
  ) {}

  /**
   * Enqueues a job once the transaction has committed. `id` is the id of the row; adding the same type and id again has no effect while
   * the first job is waiting or running. Never throws for Redis: a request must not fail because the queue is down.
   */
  add<J extends JobType>(tx: AnyTx, ctx: ContextOfJob<J>, job: J, data: JobDataOf<J>, options: { id: string; delayMs?: number }): void {
    const stored: StoredJob = { ctx, data: job.data.parse(data), traceparent: injectTrace() ?? null };
    const settings = { ...optionsOf(job, options.id), ...(options.delayMs === undefined ? {} : { delay: options.delayMs }) };
    afterCommit(tx, () => {
      // Jobs that wait for Redis to return would fill the memory; their rows are stored, so the sweeper adds them later.
      if (this.#closed || this.#connection().status === 'reconnecting') return;
      this.#queue(job.queue)
        .add(job.type, stored, settings)
        .catch((error: unknown) =>
          this.log.warn({ err: error, job: job.type, id: options.id }, 'Redis rejected a job; a sweep will add it again'),
        );
    });
  }

  /** Puts the jobs of pending rows back into their queue; jobs that are still in it are left unchanged. Throws without Redis. */
  async restore<J extends JobType>(job: J, pending: PendingJob<J>[]): Promise<void> {
    if (pending.length === 0) return;
    const bulk = pending.map(({ id, ctx, data }) => ({
      name: job.type,
      data: { ctx, data: job.data.parse(data), traceparent: null },
      opts: optionsOf(job, id),
    }));
    await this.#queue(job.queue).addBulk(bulk);
  }

  /** The jobs of a queue, and since when the oldest of those that could run has waited (ms since 1970). Throws without Redis. */
  async measure(queue: string, backoffOf: (type: string) => readonly number[]): Promise<QueueState> {
    await this.check();
    const [{ wait = 0, active = 0, delayed = 0 }, [oldest]] = await Promise.all([
      this.#queue(queue).getJobCounts('wait', 'active', 'delayed'),
      this.#queue(queue).getJobs(['wait'], 0, 0, true),
    ]);
    return { waiting: wait, active, delayed, waitingSince: oldest && dueTimeOf(oldest, backoffOf(oldest.name)) };
  }

  /** Starts to connect; does not wait for Redis. Without this call the first job connects. */
  open(): void {
    this.#connection();
  }

  /** Throws unless Redis responds within a second. */
  async check(): Promise<void> {
    const redis = this.#connection();
    if (redis.status !== 'ready') throw new Error('Not connected to Redis');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('Redis does not respond')), 1_000)));
    await Promise.race([redis.ping(), late]).finally(() => clearTimeout(timer));
  }

  /** `listener` is called now if Redis is connected, and after every reconnection. */
  onReady(listener: () => void): void {
    const redis = this.#connection();
    redis.on('ready', listener);
    if (redis.status === 'ready') listener();
  }

  /** Closes the connections. Repeated calls are fine. */
  async close(): Promise<void> {
    this.#closed = true;
    const queues = [...this.#queues.values()];
    this.#queues.clear();
    // While Redis is down, closing a queue may wait for it: that must not keep the process from exiting.
    await settledWithin(
      1_000,
      queues.map((queue) => queue.close()),
    );
    this.#redis?.disconnect();
  }

  #connection(): Redis {
    this.#redis ??= connectRedis(this.config.REDIS_URL, this.log);
    return this.#redis;
  }

  #queue(name: string): Queue<StoredJob> {
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = new Queue<StoredJob>(name, { connection: this.#connection(), prefix: prefixOf(this.config), skipMetasUpdate: true });
      queue.on('error', (error) => this.log.debug({ err: error, queue: name }, 'Queue'));
      this.#queues.set(name, queue);
    }
    return queue;
  }
}

/** When a job that waits could have started: after its delay, or after the pause that follows its last attempt. */
function dueTimeOf({ timestamp, opts, processedOn, attemptsMade }: Job<StoredJob>, backoffMs: readonly number[]): number {
  const first = timestamp + (opts.delay ?? 0);
  if (processedOn === undefined) return first;
  const pauseMs = attemptsMade === 0 ? uncountedPauseMs : (backoffMs[Math.min(attemptsMade, backoffMs.length) - 1] ?? 0);
  return Math.max(first, processedOn + pauseMs);
}

function optionsOf(job: JobType, id: string): JobsOptions {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(id)) throw new Permanent(`Not the id of a row: ${id}`);
  return {
    jobId: `${job.type}-${id}`,
    attempts: job.attempts,
    backoff: { type: 'custom' },
    // The row has the job's result. A finished job left in the queue would keep the sweeper from adding the row's job again.
    removeOnComplete: true,
    removeOnFail: true,
  };
}
