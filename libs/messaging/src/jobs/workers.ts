import { Permanent, type JobType } from '@tandem/contracts';
import { withTrace, type Logger } from '@tandem/platform';
import { DelayedError, UnrecoverableError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  isCounted,
  prefixOf,
  uncountedPauseMs,
  type Attempt,
  type Jobs,
  type JobsConfig,
  type PendingJob,
  type StoredJob,
  type JobHandlerMetadata,
} from './jobs';
import { callMethod, type DecoratedMethod } from '../method-metadata';
import { connectRedis } from '../redis';
import { count } from '../spans';
import { settledWithin } from './settled-within';

export interface WorkersConfig extends JobsConfig {
  /** The interval between sweeps for pending rows, in milliseconds. */
  SWEEP_MS: number;
  /** How long close waits for running jobs, in milliseconds. */
  SHUTDOWN_GRACE_MS: number;
}

const defaultConcurrency = 5;
/** A killed worker's job starts again after at most the sum of these two. Jobs that take longer renew their lock. */
const lockMs = 10_000;
const stalledCheckMs = 5_000;

/** Runs the methods with `@HandlesJob` and `@Recovers`. */
export class Workers {
  readonly #workers: Worker<StoredJob>[] = [];
  /** The connection passed to the workers, then the duplicates that BullMQ made of it. */
  readonly #connections: Redis[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #sweptAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #closed = false;

  constructor(
    private readonly config: WorkersConfig,
    private readonly jobs: Jobs,
    private readonly handlers: DecoratedMethod<JobHandlerMetadata>[],
    private readonly sweeps: DecoratedMethod<JobType>[],
    private readonly log: Logger,
  ) {
    for (const [type, methods] of Map.groupBy(handlers, ({ metadata }) => metadata.job.type)) {
      if (methods.length > 1) throw new Error(`Two methods handle ${type}: ${methods.map(({ name }) => name).join(', ')}`);
    }
  }

  /** The queues of this service's jobs. */
  get queues(): string[] {
    return [...new Set(this.handlers.map(({ metadata }) => metadata.job.queue))];
  }

  /** The pauses between the attempts of a job of this type. */
  backoffOf(type: string): readonly number[] {
    return this.handlers.find(({ metadata }) => metadata.job.type === type)?.metadata.job.backoffMs ?? [];
  }

  /** When each sweep last succeeded, by the type of its jobs, in ms since 1970. At first: when the workers started. */
  get sweptAt(): ReadonlyMap<string, number> {
    return this.#sweptAt;
  }

  /** Starts the workers; does not wait for Redis. */
  start(): void {
    for (const { metadata } of this.handlers)
      for (const outcome of ['done', 'retry', 'failed']) count('tandem_jobs_total', { job: metadata.job.type, outcome }, 0);
    for (const { metadata } of this.sweeps) this.#sweptAt.set(metadata.type, Date.now());
    if (this.handlers.length > 0) {
      const connection = this.#connect();
      for (const [queue, handlers] of Map.groupBy(this.handlers, ({ metadata }) => metadata.job.queue))
        this.#process(queue, handlers, connection);
    }
    if (this.sweeps.length === 0) return;
    this.jobs.onReady(() => void this.sweep());
    this.#timer = setInterval(() => void this.sweep(), this.config.SWEEP_MS);
  }

  /** Adds the jobs of pending rows again. One sweep at a time; failures are logged and the next sweep tries again. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepAll().finally(() => (this.#sweeping = undefined));
    return this.#sweeping;
  }

  /** Starts no more jobs and waits for the running ones; a job that does not finish in time is run again by another worker. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    // Without Redis, a graceful close would wait for it to return; force it, and wait for the running jobs separately.
    const isDown = this.#connections[0]?.status !== 'ready';
    const workers = this.#workers.map((worker) => worker.close(isDown));
    const inTime = await settledWithin(this.config.SHUTDOWN_GRACE_MS, [this.#sweeping ?? Promise.resolve(), ...workers, ...this.#running]);
    if (!inTime) this.log.warn('Jobs did not finish in time; another worker will run them again');
    for (const connection of this.#connections) connection.disconnect();
  }

  /** A connection for workers. BullMQ duplicates it and does not close the duplicates while Redis is down, so they are collected here. */
  #connect(): Redis {
    // Blocking reads wait without limit; the retry limit of other connections would end the worker.
    const connection = connectRedis(this.config.REDIS_URL, undefined, { maxRetriesPerRequest: null });
    const duplicate = connection.duplicate.bind(connection);
    connection.duplicate = (override) => {
      const copy = duplicate(override);
      this.#connections.push(copy);
      return copy;
    };
    this.#connections.push(connection);
    return connection;
  }

  #process(queue: string, handlers: DecoratedMethod<JobHandlerMetadata>[], connection: Redis): void {
    const byType = new Map(handlers.map((handler) => [handler.metadata.job.type, handler]));
    const pauses = new Map(handlers.map(({ metadata }) => [metadata.job.type, metadata.job.backoffMs]));
    const worker = new Worker<StoredJob>(queue, (job, token) => this.#track(this.#run(byType.get(job.name), job, token)), {
      connection,
      prefix: prefixOf(this.config),
      concurrency: Math.max(...handlers.map(({ metadata }) => metadata.options.concurrency ?? defaultConcurrency)),
      lockDuration: lockMs,
      stalledInterval: stalledCheckMs,
      // Pause before reconnecting; BullMQ's default is 15 s.
      runRetryDelay: 1_000,
      // By default BullMQ fails a job permanently after it has stalled twice, but only attempts should count, not killed workers.
      maxStalledCount: 1_000,
      settings: {
        backoffStrategy: (made, _type, _error, job) => {
          const pausesMs = pauses.get(job?.name ?? '') ?? [];
          return pausesMs[Math.min(made, pausesMs.length) - 1] ?? 1_000;
        },
      },
    });
    worker.on('error', (error) => this.log.debug({ err: error, queue }, 'Worker'));
    this.#workers.push(worker);
  }

  #track(job: Promise<void>): Promise<void> {
    const settled = job.catch(() => undefined).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return job;
  }

  async #run(handler: DecoratedMethod<JobHandlerMetadata> | undefined, job: Job<StoredJob>, token: string | undefined): Promise<void> {
    const type = job.name;
    const attempt: Attempt = { number: job.attemptsMade + 1, last: job.attemptsMade + 1 >= (job.opts.attempts ?? 1) };
    try {
      // A job of a newer or older release: a worker of that release may get the next attempt.
      if (!handler) throw new Error(`This process has no worker for ${type}`);
      const data = handler.metadata.job.data.safeParse(job.data.data);
      if (!data.success) throw new Permanent(`Data of ${type} does not match its contract: ${data.error.message}`);
      await withTrace(job.data.traceparent ?? undefined, `job ${type}`, async () => callMethod(handler, job.data.ctx, data.data, attempt));
      count('tandem_jobs_total', { job: type, outcome: 'done' });
    } catch (error) {
      const final = isCounted(error) && (error instanceof Permanent || attempt.last);
      count('tandem_jobs_total', { job: type, outcome: final ? 'failed' : 'retry' });
      this.log[final ? 'error' : 'warn'](
        { err: error, job: type, id: job.id, attempt: attempt.number },
        final ? 'A job failed permanently' : 'A job failed; it will be retried',
      );
      if (!isCounted(error)) {
        await job.moveToDelayed(Date.now() + uncountedPauseMs, token);
        throw new DelayedError();
      }
      throw error instanceof Permanent ? new UnrecoverableError(error.message) : error;
    }
  }

  async #sweepAll(): Promise<void> {
    for (const sweep of this.sweeps) {
      if (this.#closed) return;
      try {
        await this.jobs.check();
        await this.jobs.restore(sweep.metadata, (await callMethod(sweep)) as PendingJob[]);
        this.#sweptAt.set(sweep.metadata.type, Date.now());
      } catch (error) {
        this.log.warn({ err: error, sweep: sweep.name }, 'A sweep failed; the next one will retry');
      }
    }
  }
}
