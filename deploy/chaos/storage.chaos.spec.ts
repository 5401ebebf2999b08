import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Database, DatabaseUnavailable } from '@tandem/db';
import { startFlakyProxy } from '@tandem/testing';
import { sql } from 'kysely';
import { freePort } from '../local/ports.ts';
import type { Finding } from '../tandem/doctor/finding.ts';
import { checkNats } from '../tandem/doctor/nats.ts';
import { checkServer } from '../tandem/doctor/postgres.ts';
import { ChaosApp } from './chaos-app.ts';
import { frozenServers } from './scenarios/frozen-servers.ts';
import { smallServer } from './scenarios/small-server.ts';
import { SmallDisk } from './small-disk.ts';
import { replicationSettings, Standby } from './standby.ts';
import { expectNoPendingWork, signedIn, untilPasses } from './ticketing.ts';

/** For each response, even on a slow machine: without a time limit, a request would wait until the server continues. */
const answersWithinMs = 15_000;

const disks = { postgres: SmallDisk.mount(768), nats: SmallDisk.mount(48) };
const itWithDisks = disks.postgres && disks.nats ? it : it.skip;
const reason = disks.postgres && disks.nats ? '' : ' (skipped: mounting a file system needs root)';

let app: ChaosApp;
let proxy: Awaited<ReturnType<typeof startFlakyProxy>>;
let admin: Record<string, string>;
let metricsUrl: string;
let standby: Standby | undefined;
/** Addresses without the proxy. */
let primary: string;
let home: string;
beforeAll(async () => {
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  app = await ChaosApp.start(
    { TICKETS_METRICS_PORT: String(metricsPort) },
    {
      oneProcess: true,
      postgres: (directory) => {
        home = disks.postgres?.folder('home') ?? join(directory, 'home');
        mkdirSync(home, { recursive: true });
        return { home, settings: replicationSettings };
      },
      prepare: (directory) => {
        mkdirSync(directory, { recursive: true });
        if (disks.nats) symlinkSync(disks.nats.folder('store'), join(directory, 'nats'));
      },
      through: async (address) => {
        primary = address;
        proxy = await startFlakyProxy(address);
        return proxy.url;
      },
    },
  );
  // On a busy machine, the single process needs a while for the events of the demo organization, and requests wait with them.
  await untilPasses(async () => expect(await app.command('consumers', 'list')).not.toMatch(/ [1-9]\d* pending/));
  admin = await signedIn(app, 'admin@demo.test');
}, 240_000);
afterAll(async () => {
  for (const disk of Object.values(disks)) await disk?.free();
  await app?.stop();
  await standby?.stop();
  await proxy?.close();
  for (const disk of Object.values(disks)) disk?.unmount();
}, 60_000);

// In this file, because starting the product takes 8 CPU seconds.
smallServer(() => app);
frozenServers(() => app);

interface Answer {
  status: number;
  id?: string;
  detail?: string;
}

/** Sends a new ticket; a response other than success must be 503 with a problem. */
async function createTicket(scenario: string, i: number): Promise<Answer> {
  const answer = await fetch(`${app.api}/tickets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...admin },
    body: JSON.stringify({ subject: `${scenario} ${i}`, customer_email: emailOf(scenario, i), description: 'x'.repeat(4_000) }),
    signal: AbortSignal.timeout(answersWithinMs),
  });
  const body = (await answer.json()) as { data?: { id: string }; code?: string; detail?: string };
  if (answer.status === 201) return { status: 201, id: body.data!.id };
  expect([answer.status, answer.headers.get('content-type'), body.code]).toEqual([
    503,
    expect.stringContaining('application/problem+json'),
    'service.unavailable',
  ]);
  return { status: 503, ...(body.detail ? { detail: body.detail } : {}) };
}

const emailOf = (scenario: string, i: number) => `${scenario}-${i}@example.com`;

/** Sends tickets until it is stopped, several at once. */
class Load {
  readonly accepted: { id: string; email: string }[] = [];
  readonly details = new Set<string>();
  refused = 0;
  #sent = 0;
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(private readonly scenario: string) {
    this.#running = Promise.all(Array.from({ length: 3 }, () => this.#run())).then(() => undefined);
    this.#running.catch(() => (this.#stopped = true)); // rethrown by `until` and `stop`
  }

  /** Resolves when `work` passes; throws at once if a request has got neither a ticket nor a problem. */
  until(work: () => unknown): Promise<void> {
    return Promise.race([this.#running, untilPasses(async () => void (await work()), 60)]);
  }

  /** Resolves when this many more tickets were accepted. */
  more(count: number): Promise<void> {
    const goal = this.accepted.length + count;
    return this.until(() => expect(this.accepted.length).toBeGreaterThanOrEqual(goal));
  }

  /** Resolves when this many more tickets were refused. */
  refusedMore(count: number): Promise<void> {
    const goal = this.refused + count;
    return this.until(() => expect(this.refused).toBeGreaterThanOrEqual(goal));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const i = this.#sent++;
      const { id, detail } = await createTicket(this.scenario, i);
      if (id !== undefined) this.accepted.push({ id, email: emailOf(this.scenario, i) });
      else this.refused++;
      if (detail) this.details.add(detail);
      await pause(50);
    }
  }
}

/** Everything that was accepted exists, with its figures and exactly one email, and nothing waits. */
async function expectNothingLost(scenario: string, { accepted }: Load): Promise<void> {
  const stored = await app.rows<{ id: string; customer_email: string }>(
    'tickets',
    'select id, customer_email from tickets where subject like $1',
    [`${scenario} %`],
  );
  expect(accepted.filter(({ id }) => !stored.some((ticket) => ticket.id === id))).toEqual([]);
  expect(new Set(stored.map(({ customer_email }) => customer_email)).size).toBe(stored.length);
  await untilPasses(async () => {
    await expectNoPendingWork(app);
    const facts = await app.rows<{ ticket_id: string }>('analytics', 'select ticket_id from ticket_facts where ticket_id = any($1)', [
      stored.map(({ id }) => id),
    ]);
    expect(facts.length).toBe(stored.length);
  });
  await app.expectOneMailEach(
    stored.map(({ customer_email }) => customer_email),
    'postgres',
  );
}

const serverOf = (db: Database) =>
  db.asSystem(
    'which server',
    async (tx) => (await sql<{ at: string }>`select pg_postmaster_start_time()::text as at`.execute(tx)).rows[0]!.at,
  );

const listTickets = async () =>
  (await fetch(`${app.api}/tickets?limit=5`, { headers: admin, signal: AbortSignal.timeout(answersWithinMs) })).status;

/** The errors that doctor finds with these checks. */
async function errorsFrom(...checks: (() => Promise<Finding[]>)[]): Promise<string> {
  const before = { ...process.env };
  Object.assign(process.env, app.env);
  try {
    const findings = (await Promise.all(checks.map((check) => check()))).flat();
    return findings
      .filter(({ status }) => status === 'error')
      .map(({ message }) => message)
      .join('\n');
  } finally {
    process.env = before;
  }
}

const metric = async (name: string): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text();
  const values = [...text.matchAll(new RegExp(`^${name}{.*} (\\d+)`, 'gm'))];
  return values.reduce((sum, [, value]) => sum + Number(value), 0);
};

itWithDisks(
  `NATS has no space left: tickets are accepted, metrics and doctor name it, and all events arrive once there is space${reason}`,
  async () => {
    expect(await metric('tandem_event_stream_full_total')).toBe(0);
    const load = new Load('nats-full');
    await load.more(3);
    await disks.nats!.fill();
    await load.more(5);
    await load.until(async () => expect(await metric('tandem_event_stream_full_total')).toBeGreaterThan(0));
    expect(await errorsFrom(checkNats)).toContain('NATS cannot store messages, probably because its disk is full');
    await load.more(5);
    expect(load.refused).toBe(0);
    await disks.nats!.free();
    await load.stop();
    await expectNothingLost('nats-full', load);
    expect(await errorsFrom(checkNats)).toBe('');
  },
  180_000,
);

itWithDisks(
  `PostgreSQL has no space left: reads work, writes are answered with the reason, metrics and doctor name it, and nothing is lost${reason}`,
  async () => {
    expect(await metric('tandem_database_full_total')).toBe(0);
    const load = new Load('postgres-full');
    await load.more(3);
    // A new connection may need a file that does not fit on the disk.
    const client = await app.connect('tickets');
    client.on('error', () => undefined);
    const fullSince = Date.now();
    await disks.postgres!.fill();
    await load.until(async () => {
      expect([...load.details]).toEqual([expect.stringContaining('The database has no space left, so nothing was saved.')]);
      expect(await metric('tandem_database_full_total')).toBeGreaterThan(0);
    });
    expect(await listTickets()).toBe(200);
    expect(await errorsFrom(checkServer)).toContain('no space left');
    // Each of these commands needs another file of the write-ahead log. The server stops when it cannot create one.
    await expect(
      (async () => {
        for (let i = 0; i < 50; i++) await client.query(`select pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()`);
      })(),
    ).rejects.toThrow();
    await client.end().catch(() => undefined);
    await load.refusedMore(3);
    await disks.postgres!.free();
    await app.servers.restart('postgres');
    await app.untilReady();
    await app.endClaims((Date.now() - fullSince) / 1_000);
    await load.more(3);
    await load.stop();
    await expectNothingLost('postgres-full', load);
    expect(await errorsFrom(checkServer)).toBe('');
  },
  180_000,
);

it('a standby of PostgreSQL is promoted and takes over the address: no connection waits for the failed host, and nothing is lost', async () => {
  const { PG_ADMIN_URL: _, ...others } = app.servers.env;
  standby = await Standby.start({ primary, home, others: { ...others, PG_ADMIN_URL: '' } }, `${app.directory}-standby`);
  // Its timeouts are longer than the test: only the change to the server can end its queries.
  const waiting = new Database({ url: app.env.TICKETS_DATABASE_URL!, max: 3, statementTimeoutMs: 3_600_000, onError: () => undefined });
  try {
    const sleep = () => waiting.asSystem('wait', (tx) => sql`select pg_sleep(3600)`.execute(tx));
    const load = new Load('failover');
    await load.more(5);
    const lost = Promise.allSettled([sleep(), sleep()]);
    await waiting.ping(); // the third connection is idle
    const serverBefore = await serverOf(waiting);
    await app.disconnect(); // queries of this test would wait for the failed host forever
    proxy.vanish();
    const failedAt = Date.now();
    await app.servers.kill('postgres', 'SIGKILL');
    await standby.promote();
    proxy.moveTo(standby.url);
    await load.more(1);
    await app.untilReady();
    await app.endClaims((Date.now() - failedAt) / 1_000);
    expect((await lost).map((each) => (each as PromiseRejectedResult).reason instanceof DatabaseUnavailable)).toEqual([true, true]);
    // The idle connection may be closed in the moment in which it is used.
    await untilPasses(async () => expect(await serverOf(waiting)).not.toBe(serverBefore), 30);
    await load.more(5);
    await load.stop();
    await expectNothingLost('failover', load);
  } finally {
    await waiting.close();
  }
}, 180_000);
