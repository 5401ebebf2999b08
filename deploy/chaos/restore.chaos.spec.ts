import { randomBytes } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceName } from '@tandem/contracts';
import { connectRedis, versionKey } from '@tandem/messaging';
import { takeBackup } from '../tandem/backup/backup.ts';
import { compareDatabases, untilEqual } from '../tandem/drift.ts';
import { asReader, services } from '../tandem/installation.ts';
import { findKeyUse, purposes } from '../tandem/keys.ts';
import { findSealedColumns } from '../tandem/sealed-columns.ts';
import { expectFiguresOfTickets } from './recount.ts';
import { TaskSync } from './task-sync.ts';
import { ticketsOf, untilPasses } from './ticketing.ts';

let sync: TaskSync;
let organization_id: string;
beforeAll(async () => {
  sync = await TaskSync.start({ oneProcess: true });
  const [organization] = await sync.app.rows<{ id: string }>('identity', 'select id from organizations', []);
  organization_id = organization!.id;
}, 120_000);
afterAll(() => sync?.stop(), 60_000);

const equal = { is_equal: true, differences: [], pending: {}, problems: {} };

interface Report {
  findings: { check: string; status: string; message: string }[];
}

interface Ticket {
  id: string;
  ticket_number: string;
  customer_email: string;
}

/** Opens tickets and answers every third, until it is stopped. Each customer has one ticket. */
class Load {
  readonly opened: Ticket[] = [];
  #stopped = false;
  readonly #running: Promise<void>;

  constructor(private readonly name: string) {
    this.#running = this.#run();
    this.#running.catch(() => undefined); // rethrown by `stop`
  }

  /** Resolves when this many more tickets are open. */
  async more(count: number): Promise<void> {
    for (const goal = this.opened.length + count; this.opened.length < goal; await pause(50)) if (this.#stopped) return;
  }

  stop(): Promise<void> {
    this.#stopped = true;
    return this.#running;
  }

  async #run(): Promise<void> {
    try {
      for (let i = 0; !this.#stopped; i++) {
        const body = { subject: `${this.name} ${i}`, customer_email: `${this.name}-${i}@example.com` };
        const ticket = await sync.app.create<Ticket>('/tickets', body, sync.headers);
        if (!ticket) throw new Error('A ticket was not accepted');
        this.opened.push(ticket);
        if (i % 3 === 0) await sync.change(ticket.id, { priority: 'high' });
        if (i % 3 === 1) await sync.addComment(ticket.id, 'We are on it.');
        await pause(60);
      }
    } finally {
      this.#stopped = true;
    }
  }
}

/** Runs `work` with the variables of the commands. */
async function withEnvironment<T>(work: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, sync.app.env);
  try {
    return await work();
  } finally {
    process.env = before;
  }
}

/** The version of the organization's tickets in Redis: while it stays, gateways answer 304 for responses that they remember. */
async function versionOfTickets(): Promise<string | null> {
  const { REDIS_URL, REDIS_PREFIX = 'tandem' } = sync.app.env;
  const redis = connectRedis(REDIS_URL!);
  try {
    return await redis.get(versionKey(REDIS_PREFIX, 'tickets', organization_id));
  } finally {
    redis.disconnect();
  }
}

/** The subjects of all emails to customers of a scenario, by address. */
async function subjectsByAddress(name: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { to, subject } of (await sync.app.mails()) as unknown as { to: string[]; subject: string }[])
    for (const address of to.filter((each) => each.startsWith(`${name}-`))) found.set(address, [...(found.get(address) ?? []), subject]);
  return found;
}

const streams = {
  kept: () => Promise.resolve(),
  lost: () => sync.app.changeStream((folder) => rmSync(folder, { recursive: true, force: true })),
  older: () =>
    sync.app.changeStream((folder) => {
      const saved = join(sync.app.directory, 'older-stream');
      rmSync(folder, { recursive: true, force: true });
      cpSync(saved, folder, { recursive: true });
    }),
};

it.each([
  ['kept', ['tickets', 'integrations', 'identity', 'analytics', 'notifications']],
  ['lost', ['notifications', 'analytics', 'integrations', 'tickets', 'identity']],
  ['older', ['analytics', 'identity', 'notifications', 'tickets', 'integrations']],
] as [keyof typeof streams, ServiceName[]][])(
  'dumps taken under load one after another are restored with the stream %s: all services agree',
  async (stream, order) => {
    const { app } = sync;
    const directory = join(app.directory, `backup-${stream}`);
    if (stream === 'older') {
      // NATS writes its files while it runs: copied while it is down.
      await app.changeStream((folder) => cpSync(folder, join(app.directory, 'older-stream'), { recursive: true }));
      await untilPasses(() => sync.expectNoPendingWork());
    }
    const load = new Load(`restore-${stream}`);
    await load.more(5);
    await withEnvironment(() => takeBackup(directory, { order, between: () => load.more(5), log: () => undefined }));
    // These are lost, although customers were informed about them.
    await load.more(5);
    await load.stop();
    const lastNumber = Number(load.opened.at(-1)!.ticket_number.replace(/^.*-/, ''));
    await app.stopProcesses();
    await streams[stream]();

    const version = await versionOfTickets();
    expect(version).toEqual(expect.any(String));
    await app.command('tandem', 'restore', directory);
    const restoredVersion = await versionOfTickets();
    expect([typeof restoredVersion, restoredVersion === version]).toEqual(['string', false]);
    await app.startProcesses();
    expect(await withEnvironment(() => untilEqual(120_000))).toEqual(equal);

    await untilPasses(() => expectFiguresOfTickets(app, organization_id));
    await untilPasses(() => sync.expectNoPendingWork());
    const restored = await ticketsOf<Ticket>(app, `restore-${stream}`, 'id, ticket_number, customer_email');
    expect(restored.length).toBeGreaterThanOrEqual(5);
    expect(restored.length).toBeLessThan(load.opened.length);
    for (const { id } of restored) sync.taskOf(id); // throws unless there is exactly one
    const emails = await subjectsByAddress(`restore-${stream}`);
    expect(restored.filter(({ customer_email }) => !emails.has(customer_email))).toEqual([]);
    expect([...emails].filter(([, subjects]) => new Set(subjects).size !== subjects.length)).toEqual([]);

    const next = await app.mustCreate<Ticket>('/tickets', { subject: 'Next', customer_email: 'next@example.com' }, sync.headers);
    expect(Number(next.ticket_number.replace(/^.*-/, ''))).toBeGreaterThan(lastNumber);
  },
  180_000,
);

it('check names each copy that differs, and rebuild computes it again', async () => {
  const { app } = sync;
  // The last ticket of the previous test may not have its task yet.
  expect(await withEnvironment(() => untilEqual(120_000))).toEqual(equal);
  await app.rows('analytics', `update ticket_facts set priority = 'urgent' where priority <> 'urgent'`, []);
  await app.rows('integrations', `update ticket_copies set priority = 'urgent' where priority <> 'urgent'`, []);
  await app.rows('tickets', 'delete from ticket_texts', []);
  const { is_equal, differences } = await withEnvironment(compareDatabases);
  expect([is_equal, differences.map(({ name }) => name)]).toEqual([
    false,
    ['tickets in analytics', 'search of tickets', 'tickets in integrations'],
  ]);
  await expect(app.command('tandem', 'check', '--wait', '0')).rejects.toThrow('exit code 1');
  for (const name of ['analytics', 'search', 'links']) await app.command('tandem', 'rebuild', name, organization_id);
  expect(await withEnvironment(() => untilEqual(120_000))).toEqual(equal);
}, 180_000);

it('keys reseal seals every value with the new key while the services run, so that the old key can be removed', async () => {
  const { app } = sync;
  const old = app.env.ENCRYPTION_KEYS!;
  const columns = await withEnvironment(() =>
    Promise.all(services.map(async (service) => [service, await asReader(service, findSealedColumns)] as const)),
  );
  // Each column has a purpose: without it, its values would stay sealed with the old key.
  expect(columns.flatMap(([service, found]) => found.map(({ table, column }) => `${service} ${table}.${column}`)).sort()).toEqual(
    services.flatMap((service) => Object.keys(purposes[service]).map((place) => `${service} ${place}`)).sort(),
  );
  // A starting service reads the keys of all organizations' values.
  const hidden = `select c.relname from pg_class c where c.relname = any($1) and c.relrowsecurity
    and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'system_readable')`;
  for (const [service, found] of columns) expect(await app.rows(service, hidden, [found.map(({ table }) => table)])).toEqual([]);
  await app.stopProcesses();
  app.env.ENCRYPTION_KEYS = `new:${randomBytes(32).toString('base64')},${old}`;
  await app.startProcesses();
  const load = new Load('reseal');
  await load.more(2);
  const result = JSON.parse(await app.command('tandem', 'keys', 'reseal', '--json')) as { resealed: number; unreadable: number };
  expect(result).toMatchObject({ resealed: expect.any(Number), unreadable: 0 });
  expect(result.resealed).toBeGreaterThan(0);
  await load.more(2);
  await load.stop();

  const used = await withEnvironment(findKeyUse);
  const places = used.filter(({ is_current }) => !is_current).flatMap(({ values }) => Object.keys(values));
  expect(places.filter((place) => !place.endsWith('(links)') && !place.endsWith('(links in emails)'))).toEqual([]);
  await app.stopProcesses();
  app.env.ENCRYPTION_KEYS = app.env.ENCRYPTION_KEYS.split(',')[0]!;
  await app.startProcesses();
  const ticket = await sync.open('After the rotation');
  await untilPasses(() => Promise.resolve(void sync.taskOf(ticket!)));
}, 180_000);

it('doctor finds nothing wrong with a running installation', async () => {
  const { findings } = JSON.parse(await sync.app.command('tandem', 'doctor', '--json')) as Pick<Report, 'findings'>;
  expect(findings.filter(({ status }) => status === 'error')).toEqual([]);
  // The real listener: it accepts the demo organization's address and refuses an unknown one.
  const incoming = {
    check: 'incoming email',
    status: 'ok',
    message: expect.stringContaining('accepts addresses of organizations only') as string,
  };
  expect(findings).toContainEqual(incoming);
}, 60_000);

it('admin reset-2fa turns off the second factor of a member, and writes it to the audit log', async () => {
  const { app } = sync;
  const email = 'agent@demo.test';
  await expect(app.command('tandem', 'admin', 'reset-2fa', email)).rejects.toThrow(`${email} does not use two-factor sign-in.`);
  const insert = `insert into mfa (user_id, sealed_secret, confirmed_at) select id, 'k.a.b.c', now() from users where email = $1`;
  await app.rows('identity', insert, [email]);
  await app.command('tandem', 'admin', 'reset-2fa', email);
  expect(await app.rows('identity', 'select 1 from mfa', [])).toEqual([]);
  expect(await app.rows('identity', `select target, actor_id from audit_log where type = 'mfa.reset'`, [])).toEqual([
    { target: email, actor_id: null },
  ]);
  await expect(app.command('tandem', 'admin', 'reset-2fa', 'nobody@demo.test')).rejects.toThrow('No member of an organization');
}, 60_000);
