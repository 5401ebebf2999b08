import { sql } from 'kysely';
import type { Database } from '@tandem/db';
import { observableGauge, onScrape, type Observation } from '@tandem/platform';
import { relayOf } from './events/dead-letters';
import { measureLag, type ConsumedDurable } from './events/durables';
import type { Nats } from './events/nats';
import type { Jobs } from './jobs/jobs';
import type { Workers } from './jobs/workers';
import { count } from './spans';

const connections = observableGauge('tandem_database_connections', 'Connections of the process to its database', ['process', 'state']);
const maxConnections = observableGauge(
  'tandem_database_connections_limit',
  'Maximum number of connections of the process to its database',
  ['process'],
);
const waitingForConnection = observableGauge(
  'tandem_database_waiting_callers',
  'Requests, consumers and jobs that wait for a connection because all are in use; after 5 seconds they fail',
  ['process'],
);
const oldestOutbox = observableGauge(
  'tandem_outbox_oldest_seconds',
  'Age of the oldest event that is committed and not published; 0 if there is none',
  ['process'],
);
const deadLetters = observableGauge('tandem_dead_letters_open', 'Dead letters that have not been replayed, by consumer; at most 1,000', [
  'consumer',
]);
const pending = observableGauge('tandem_consumer_pending_events', 'Events that a consumer has not received yet', ['consumer']);
const unacknowledged = observableGauge(
  'tandem_consumer_unacknowledged_events',
  'Events that a consumer has received and not finished: in work, or waiting for a retry',
  ['consumer'],
);
const oldestEvent = observableGauge(
  'tandem_consumer_oldest_seconds',
  'Age of the oldest event that a consumer has not finished; 0 if there is none',
  ['consumer'],
);
const queueJobs = observableGauge('tandem_queue_jobs', 'Jobs in a queue: waiting, active, or delayed (until a time or the next attempt)', [
  'queue',
  'state',
]);
const oldestJob = observableGauge(
  'tandem_queue_oldest_seconds',
  'How long the first waiting job of a queue could have been running; 0 if none waits',
  ['queue'],
);
const sweptAt = observableGauge(
  'tandem_sweep_last_success_timestamp_seconds',
  'When a sweep for pending rows without a job last succeeded in this process, by the type of its jobs',
  ['process', 'job'],
);

/** Counting stops here: more dead letters do not need another reaction. */
const maxCounted = 1_000;

interface ServiceParts {
  process: string;
  db: Database;
  nats: Nats;
  jobs: Jobs;
  /** Undefined if this process does not consume events. */
  durables: readonly ConsumedDurable[] | undefined;
  /** Undefined if this process does not run jobs. */
  workers: Workers | undefined;
}

/** Reports the work that waits in a service, and the connections that it waits for. Returns a function that stops it. */
export function watchService({ process, db, nats, jobs, durables, workers }: ServiceParts): () => void {
  count('tandem_database_full_total', { process }, 0);
  const stop = [onScrape('database connections', [connections, maxConnections, waitingForConnection], () => poolOf(process, db))];
  if (durables) {
    count('tandem_event_stream_full_total', { process }, 0);
    const consumers = deadLetterConsumers(nats, durables);
    for (const consumer of consumers) count('tandem_dead_letters_total', { consumer }, 0);
    stop.push(
      onScrape('outbox', [oldestOutbox], async () => [
        { gauge: oldestOutbox, value: await oldestUnpublishedSeconds(db), labels: { process } },
      ]),
      onScrape('dead letters', [deadLetters], () => countDeadLetters(db, consumers)),
      onScrape('consumers', [pending, unacknowledged, oldestEvent], () => lagOf(nats, durables)),
    );
  }
  if (workers) {
    stop.push(
      onScrape('queues', [queueJobs, oldestJob], () => queuesOf(jobs, workers)),
      onScrape('sweeps', [sweptAt], () =>
        [...workers.sweptAt].map(([job, at]) => ({ gauge: sweptAt, value: at / 1000, labels: { process, job } })),
      ),
    );
  }
  return () => stop.forEach((each) => each());
}

function poolOf(process: string, db: Database): Observation[] {
  const { used, idle, max, waiting } = db.connections;
  return [
    { gauge: connections, value: used, labels: { process, state: 'used' } },
    { gauge: connections, value: idle, labels: { process, state: 'idle' } },
    { gauge: maxConnections, value: max, labels: { process } },
    { gauge: waitingForConnection, value: waiting, labels: { process } },
  ];
}

/** Reads one row by the index of unpublished rows. */
export async function oldestUnpublishedSeconds(db: Database): Promise<number> {
  const { rows } = await db.asSystem('age of the outbox', (tx) =>
    sql<{ seconds: number }>`
      select greatest(0, extract(epoch from now() - created_at))::float as seconds
      from outbox where published_at is null order by position limit 1`.execute(tx),
  );
  return rows[0]?.seconds ?? 0;
}

/** The consumers of a service that can have dead letters. */
export const deadLetterConsumers = (nats: Nats, durables: readonly { name: string }[]): string[] => [
  relayOf(nats.name),
  ...durables.map(({ name }) => name),
];

/** Reads at most `maxCounted` entries per consumer of the index of open dead letters. */
export async function countDeadLetters(db: Database, consumers: readonly string[]): Promise<Observation[]> {
  const { rows } = await db.asSystem('number of dead letters', (tx) =>
    sql<{ consumer: string; count: number }>`
      select consumer, (
        select count(*) from (
          select from dead_letters d where d.consumer = c.consumer and replayed_at is null limit ${sql.lit(maxCounted)}
        ) as counted
      ) as count
      from unnest(${consumers}::text[]) as c (consumer)`.execute(tx),
  );
  return rows.map(({ consumer, count: value }) => ({ gauge: deadLetters, value, labels: { consumer } }));
}

async function lagOf(nats: Nats, durables: readonly ConsumedDurable[]): Promise<Observation[]> {
  if (!nats.up) throw new Error('Not connected to NATS');
  return (await measureLag(nats, durables)).flatMap(({ name: consumer, ...lag }) => [
    { gauge: pending, value: lag.pending, labels: { consumer } },
    { gauge: unacknowledged, value: lag.unacknowledged, labels: { consumer } },
    { gauge: oldestEvent, value: lag.oldestSeconds, labels: { consumer } },
  ]);
}

async function queuesOf(jobs: Jobs, workers: Workers): Promise<Observation[]> {
  const states = await Promise.all(
    workers.queues.map(async (queue) => ({ queue, ...(await jobs.measure(queue, (type) => workers.backoffOf(type))) })),
  );
  return states.flatMap(({ queue, waiting, active, delayed, waitingSince }) => [
    { gauge: queueJobs, value: waiting, labels: { queue, state: 'waiting' } },
    { gauge: queueJobs, value: active, labels: { queue, state: 'active' } },
    { gauge: queueJobs, value: delayed, labels: { queue, state: 'delayed' } },
    { gauge: oldestJob, value: waitingSince === undefined ? 0 : Math.max(0, Date.now() - waitingSince) / 1000, labels: { queue } },
  ]);
}
