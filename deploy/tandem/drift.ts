import type { ServiceName } from '@tandem/contracts';
import { listDurables, Nats } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { consumerNames } from '../local/cli/consumer-names';
import { asReader, services, streamOptions } from './installation';

type Service = (typeof services)[number];
/** A query with the columns `organization_id` and `key`, and the service whose database it reads. */
interface Rows {
  service: Service;
  query: string;
}

/** A copy that must equal the rows of the service that owns them. */
interface Comparison {
  name: string;
  owner: Rows;
  copy: Rows;
}

const organizations = (service: Service, column = 'organization_id'): Rows => ({
  service,
  query: `select ${column} as organization_id, ${column}::text as key from organizations`,
});
const members = (service: Service, columns: string): Rows => ({
  service,
  query: `select organization_id, concat_ws(' ', user_id, ${columns}) as key from members`,
});
const counts = `concat_ws(' ', count(*), 'total,', count(*) filter (where status in ('open', 'in_progress')), 'open,',
  count(*) filter (where status = 'resolved'), 'resolved')`;
const exported = 'organization_id in (select organization_id from connections where tickets_exported)';

const comparisons: Comparison[] = [
  ...(['tickets', 'notifications', 'analytics'] as const).map((service) => ({
    name: `organizations in ${service}`,
    owner: organizations('identity', 'id'),
    copy: organizations(service),
  })),
  ...(['tickets', 'notifications'] as const).map((service) => ({
    name: `members in ${service}`,
    owner: members('identity', 'role, is_active'),
    copy: members(service, 'role, is_active'),
  })),
  { name: 'members in analytics', owner: members('identity', 'is_active'), copy: members('analytics', 'is_active') },
  {
    name: 'tickets in analytics',
    owner: { service: 'tickets', query: `select organization_id, concat_ws(' ', id, status, priority, assigned_to) as key from tickets` },
    copy: {
      service: 'analytics',
      query: `select organization_id, concat_ws(' ', ticket_id, status, priority, assigned_to) as key from ticket_facts`,
    },
  },
  {
    name: 'counts of the dashboard',
    owner: { service: 'tickets', query: `select organization_id, ${counts} as key from tickets group by 1` },
    copy: {
      service: 'analytics',
      query: `select organization_id, concat_ws(' ', total, 'total,', open, 'open,', resolved, 'resolved') as key from organizations where total > 0`,
    },
  },
  {
    name: 'search of tickets',
    owner: {
      service: 'tickets',
      query: `select organization_id, id::text as key from tickets
        union all select organization_id, id::text from comments`,
    },
    copy: { service: 'tickets', query: 'select organization_id, source_id::text as key from ticket_texts' },
  },
  {
    name: 'tasks of tickets',
    owner: {
      service: 'integrations',
      query: `select organization_id, concat_ws(' ', ticket_id, task_id) as key from links
        where task_id is not null and state in ('linked', 'failed', 'stopped')`,
    },
    copy: {
      service: 'tickets',
      query: `select organization_id, concat_ws(' ', id, task ->> 'task_id') as key from tickets where task is not null`,
    },
  },
];

/** Only organizations with a connection have copies, and only once all tickets have been received. */
const ticketCopies = (connected: readonly string[]): Comparison => ({
  name: 'tickets in integrations',
  owner: {
    service: 'tickets',
    query: `select organization_id, concat_ws(' ', id, status, priority) as key from tickets
      where organization_id = any('{${connected.join(',')}}'::uuid[])`,
  },
  copy: {
    service: 'integrations',
    query: `select organization_id, concat_ws(' ', ticket_id, status, priority) as key from ticket_copies where ${exported}`,
  },
});

export interface Difference {
  name: string;
  organizations: number;
  /** Rows that the copy lacks or has in another state, and rows that only the copy has; at most 10 each. */
  missing: string[];
  extra: string[];
}

export interface Report {
  is_equal: boolean;
  differences: Difference[];
  /** Work that is not done yet, by kind. The figures may still change. */
  pending: Record<string, number>;
  /** Problems that do not end without an operator, by kind. */
  problems: Record<string, number>;
}

/** Compares all databases once. Differences can also be events in transit: see `untilEqual`. */
export async function compareDatabases(): Promise<Report> {
  return withReaders(async (readers) => {
    const { rows } = await readers.integrations.query<{ id: string }>(
      'select organization_id as id from connections where tickets_exported',
    );
    const differences: Difference[] = [];
    for (const comparison of [...comparisons, ticketCopies(rows.map(({ id }) => id))]) {
      const found = await compare(readers, comparison);
      if (found) differences.push(found);
    }
    const { pending, problems } = await countWork(readers);
    const is_equal = differences.length === 0 && Object.keys(pending).length === 0 && Object.keys(problems).length === 0;
    return { is_equal, differences, pending, problems };
  });
}

/** Compares until the databases are equal or the time has elapsed. Problems do not end by waiting. */
export async function untilEqual(waitMs: number): Promise<Report> {
  const deadline = Date.now() + waitMs;
  const isPending = ({ pending }: Pick<Report, 'pending'>) => Object.keys(pending).length > 0;
  // A comparison reads all rows, so while work is pending, only the work is counted.
  while (Date.now() < deadline && isPending(await withReaders(countWork))) await sleep(1_000);
  for (; ; await sleep(1_000)) {
    const report = await compareDatabases();
    if ((report.differences.length === 0 && !isPending(report)) || Date.now() > deadline) return report;
  }
}

type Readers = Record<Service, pg.Client>;

function withReaders<T>(work: (readers: Readers) => Promise<T>): Promise<T> {
  const readers: Partial<Readers> = {};
  const open = ([service, ...others]: readonly Service[]): Promise<T> =>
    service === undefined
      ? work(readers as Readers)
      : asReader(service, (client) => {
          readers[service] = client;
          return open(others);
        });
  return open(services);
}

async function compare(readers: Readers, { name, owner, copy }: Comparison): Promise<Difference | undefined> {
  const [own, copied] = await Promise.all([digests(readers, owner), digests(readers, copy)]);
  const differing = [...new Set([...own.keys(), ...copied.keys()])].filter((id) => own.get(id) !== copied.get(id));
  if (differing.length === 0) return undefined;
  const [ownKeys, copiedKeys] = await Promise.all([keysOf(readers, owner, differing), keysOf(readers, copy, differing)]);
  const missing = [...ownKeys].filter((key) => !copiedKeys.has(key));
  const extra = [...copiedKeys].filter((key) => !ownKeys.has(key));
  return { name, organizations: differing.length, missing: missing.slice(0, 10), extra: extra.slice(0, 10) };
}

/** The number of rows of each organization and a hash of them. */
async function digests(readers: Readers, { service, query }: Rows): Promise<Map<string, string>> {
  const { rows } = await readers[service].query<{ organization_id: string; digest: string }>(
    `select organization_id, concat(count(*), ' ', sum(hashtextextended(key, 0)::numeric)) as digest from (${query}) as rows group by 1`,
  );
  return new Map(rows.map(({ organization_id, digest }) => [organization_id, digest]));
}

/** At most 100 organizations: the report names examples. */
async function keysOf(readers: Readers, { service, query }: Rows, organization_ids: string[]): Promise<Set<string>> {
  const { rows } = await readers[service].query<{ key: string }>(`select key from (${query}) as rows where organization_id = any($1)`, [
    organization_ids.slice(0, 100),
  ]);
  return new Set(rows.map(({ key }) => key));
}

const work: { kind: string; service: ServiceName; from: string; isProblem?: true }[] = [
  ...services.map((service) => ({ kind: `unpublished events of ${service}`, service, from: 'outbox where published_at is null' })),
  ...services.map((service) => ({
    kind: `dead letters of ${service}`,
    service,
    from: 'dead_letters where replayed_at is null',
    isProblem: true as const,
  })),
  { kind: 'rebuilds of analytics', service: 'analytics', from: 'rebuilds' },
  { kind: 'days to compute', service: 'analytics', from: 'dirty_days' },
  { kind: 'a new installation of analytics', service: 'analytics', from: 'installation where announced_at is null' },
  { kind: 'exports of tickets', service: 'tickets', from: 'ticket_exports' },
  {
    kind: 'emails that are due',
    service: 'notifications',
    from: `(select state, due_at from emails union all select state, due_at from account_emails) all_emails
      where state in ('pending', 'sending') and coalesce(due_at, now()) <= now()`,
  },
];

async function countWork(readers: Readers): Promise<Pick<Report, 'pending' | 'problems'>> {
  const [pending, problems]: Record<string, number>[] = [{}, {}];
  for (const { kind, service, from, isProblem } of work) {
    const { rows } = await readers[service].query<{ count: string }>(`select count(*) from ${from}`);
    if (Number(rows[0]!.count) > 0) (isProblem ? problems : pending)![kind] = Number(rows[0]!.count);
  }
  const events = await countEvents();
  if (events === 'no response') problems!['NATS does not respond'] = 1;
  else if (events === 'no stream') pending!['the stream of events, which the services create'] = 1;
  else if (events > 0) pending!['events that consumers have not received'] = events;
  return { pending: pending!, problems: problems! };
}

/** Events that a consumer of this version has not received or not finished. */
async function countEvents(): Promise<number | 'no response' | 'no stream'> {
  const nats = new Nats(streamOptions(), 'check', createLogger('check', 'silent'));
  try {
    const connected = await Promise.race([nats.connected(), sleep(5_000, undefined, { ref: false })]);
    if (!connected) return 'no response';
    const streams: string[] = [];
    for await (const name of connected.jsm.streams.names()) streams.push(name);
    if (!streams.includes(nats.stream)) return 'no stream';
    const durables = await listDurables(nats);
    return durables
      .filter(({ name }) => consumerNames.includes(name))
      .reduce((sum, { pending, unfinished }) => sum + pending + unfinished, 0);
  } finally {
    await nats.close();
  }
}
