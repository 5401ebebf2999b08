import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { explain, type StatementFigures } from '../explain.ts';
import { cpuBetween, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';
import { inDatabase, organizations, sizeOf, type Size } from '../seed.ts';
import { ask, expect, signIn } from '../session.ts';
import { capture } from '../statements.ts';
import { quantile } from '../statistics.ts';
import { measureExport } from './analytics-export.ts';
import { goalsOf, rowsOf, type Measured, type Place } from './analytics-figures.ts';
import { rebuildFirst, seedFacts } from './analytics-seed.ts';
import { untilIdle } from './idle-memory.ts';
import { settled } from './scale-cases.ts';

const wanted = Number(process.env.BENCH_TICKETS ?? 1_000_000);
const largest = Math.round(wanted * 0.208);
/** Facts of analytics. The tickets service gets a few tickets only, since it is not measured here. */
const size: Size = { organizations: 1_000, first: largest, each: Math.ceil((wanted - largest) / 999), commented: 0, people: 20 };
const few: Size = { ...size, first: 1_000, each: 1 };
/** Roll-ups exist for these organizations only: all thousand would take several gigabytes and as many minutes. */
const rolledUp = 50;
const changes = 2_000;
const path = '/api/v1/analytics?range=90';

/** A million tickets: what `GET /analytics` costs in PostgreSQL, and what it costs to maintain and to rebuild its roll-ups. */
export async function analyticsSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, few);
  const url = system.databaseUrl('tandem_analytics');
  const many = sizeOf(size).toLocaleString('en');
  try {
    await step(`${many} facts`, () => seedFacts(url, size));
    const rebuildSeconds = await step('rebuild of the largest organization', () => rebuild(system, 1));
    await step(`roll-ups of ${rolledUp} organizations`, () => rebuild(system, rolledUp));
    await inDatabase(url, (client) => client.query('vacuum analyze'));
    const places = await Promise.all(
      [size.first, size.each].map(async (tickets, i): Promise<Place> => {
        const { id, people } = organizations[i]!;
        return { name: `${tickets.toLocaleString('en')} tickets`, id, session: await signIn(system.gatewayOrigin, people[0]!) };
      }),
    );
    const clean = await step('statements, all days clean', () => statementsOf(system, places));
    const first = await step('latency, first read', () => firstReads(system, places));
    const computed = await step('latency, computed', () => latencies(system, places, distinctPaths()));
    const [live] = await step('latency, two filters', () => latencies(system, places.slice(0, 1), distinctPaths(twoFilters), 100));
    const [broad] = await step('latency, two broad filters', () => latencies(system, places.slice(0, 1), distinctPaths(broadFilters), 100));
    const repeated = await step('latency, repeated', () => latencies(system, places, [path]));
    const file = await step('CSV file of a year', () => measureExport(system, places[0]!.session));
    const visible = await step('event to visible figure', () => visibleMs(system, places[0]!));
    // `firstReads` has changed each of these rows thirty times within seconds, and the dead versions would be counted.
    await inDatabase(url, (client) => client.query('vacuum day_roll_ups'));
    const dirty = await step('statements, today dirty', () => dirtyStatements(system, places));
    // Otherwise the processes could collect their heaps (decision 0056) after the work above, while roll-ups are measured.
    await untilIdle();
    const cpu = await step(`CPU of ${changes} changes`, () => changesCpu(system, places[0]!));
    const measured: Measured = {
      places,
      clean,
      dirty,
      first,
      computed: medians(computed),
      live: live!,
      broad: broad!,
      repeated: medians(repeated),
      file,
      visible,
      cpu,
      rebuildSeconds,
    };
    return {
      tables: [
        {
          title: `Analytics of ${many} tickets in ${size.organizations} organizations`,
          columns: ['', 'figure', 'measured', 'goal'],
          rows: rowsOf(measured),
        },
      ],
      goals: goalsOf(measured),
      figures: { tickets: sizeOf(size), rolledUp, ...measured, places: places.map(({ name }) => name) },
    };
  } finally {
    await system.stop();
  }
}

const count = async (system: BenchSystem, sql: string): Promise<number> =>
  (await system.query<{ n: number }>('tandem_analytics', sql))[0]!.n;

/** Rebuilds the first organizations; the seconds from the first local day to the last roll-up, without the wait for the sweep. */
async function rebuild(system: BenchSystem, number: number): Promise<number> {
  await rebuildFirst(system.databaseUrl('tandem_analytics'), number);
  const waiting = 'select count(*)::integer as n from rebuilds';
  const untouched = `${waiting} where step = 'days' and last_ticket_id is null`;
  while ((await count(system, untouched)) === number) await sleep(20, undefined, { signal: system.signal });
  const begun = performance.now();
  while ((await count(system, waiting)) > 0) await sleep(100, undefined, { signal: system.signal });
  return (performance.now() - begun) / 1_000;
}

/** Combinations that are not stored: of 2.4% of the tickets, and of a quarter. */
const twoFilters = '&priority=high&category=Billing';
const broadFilters = '&priority=high&channel=email';

/** Different ranges of about 90 days, so that no response comes from the cache. */
const distinctPaths = (filters = ''): string[] =>
  Array.from({ length: 250 }, (_, n) => {
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const last = 1 + (n % 20);
    return `/api/v1/analytics?from=${day(last + 80 + Math.floor(n / 20))}&to=${day(last)}${filters}`;
  });

const read = (system: BenchSystem, { session }: Place) => ask(system.gatewayOrigin + path, { headers: session.headers });

/**
 * Time and buffers of all statements of one call: the sum of each statement's median of nine runs. The buffers
 * include those of values that are stored apart from their row. No call had the same range before, because a repeated one runs a
 * single statement, and no process reads the rows of days that it has read before.
 */
async function statementsOf(system: BenchSystem, places: Place[]): Promise<StatementFigures[]> {
  const figures: StatementFigures[] = [];
  for (const place of places) {
    const call = async () => expect('the response', (await read(system, place)).status, 200);
    const [captured] = await capture(system, place.id, [call], 'tandem_analytics');
    const statements = captured!.works.flat().filter(({ sql }) => /^\s*(select|with)/i.test(sql));
    figures.push(await explain(system.env('ANALYTICS_DATABASE_URL'), place.id, statements));
  }
  return figures;
}

/** With today marked as dirty until the statements are captured: the roll-up job takes only days that were marked before its start. */
async function dirtyStatements(system: BenchSystem, places: Place[]): Promise<StatementFigures[]> {
  const ids = [places.map(({ id }) => id)];
  const today = '(now() at time zone time_zone)::date';
  await system.query(
    'tandem_analytics',
    `with marked as (
       insert into dirty_days (organization_id, day, marked_at)
       select organization_id, ${today}, now() + interval '1 hour' from organizations where organization_id = any($1)
       on conflict (organization_id, day) do update set marked_at = excluded.marked_at
       returning organization_id
     )
     update organizations set version = version + 1 where organization_id in (select organization_id from marked)`,
    ids,
  );
  for (const { session } of places) await ask(`${system.gatewayOrigin}/api/v1/analytics?range=30`, { headers: session.headers });
  const figures = await statementsOf(system, places);
  const unmarked = await system.query(
    'tandem_analytics',
    `update dirty_days d set marked_at = now() from organizations o
     where d.organization_id = o.organization_id and d.organization_id = any($1) and d.day = ${today} returning d.day`,
    ids,
  );
  expect('organizations in which today is still dirty', unmarked.length, places.length);
  return figures;
}

/** Medians of 25 calls whose days the service has not read yet: before each, their revisions and the version of the figures are new. */
async function firstReads(system: BenchSystem, places: Place[]): Promise<number[]> {
  const found = places.map((): number[] => []);
  for (let n = 0; n < 30; n++) {
    for (const [i, { id, session }] of places.entries()) {
      const days = `organization_id = $1 and dimension = 'all' and day > current_date - 185`;
      await system.query('tandem_analytics', `update day_roll_ups set revision = gen_random_uuid() where ${days}`, [id]);
      await system.query('tandem_analytics', 'update organizations set version = version + 1 where organization_id = $1', [id]);
      const begun = performance.now();
      const { status } = await ask(system.gatewayOrigin + path, { headers: session.headers });
      if (n >= 5) found[i]!.push(performance.now() - begun);
      expect('the response', status, 200);
    }
  }
  return found.map((each) => quantile(each, 0.5));
}

const medians = (each: number[][]) => each.map((found) => quantile(found, 0.5));

/** The calls of each organization, alternating between them; a fifth of the calls are for warming up. */
async function latencies(system: BenchSystem, places: Place[], paths: string[], calls = 250): Promise<number[][]> {
  const found = places.map((): number[] => []);
  for (let n = 0; n < calls; n++) {
    for (const [i, { session }] of places.entries()) {
      const begun = performance.now();
      const { status } = await ask(system.gatewayOrigin + paths[n % paths.length]!, { headers: session.headers });
      if (n >= calls / 5) found[i]!.push(performance.now() - begun);
      expect('the response', status, 200);
    }
  }
  return found;
}

/** Measures the time from the response to a created ticket until the figures include it. */
async function visibleMs(system: BenchSystem, place: Place): Promise<number> {
  // A different range from the one whose statements are explained afterwards.
  const url = `${system.gatewayOrigin}/api/v1/analytics?range=7`;
  const total = async () =>
    (await ask<{ figures: { total_tickets: number } }>(url, { headers: place.session.headers })).data.figures.total_tickets;
  const found: number[] = [];
  for (let n = 0; n < 15; n++) {
    const before = await total();
    const headers = { 'content-type': 'application/json', ...place.session.headers };
    const body = JSON.stringify({ subject: 'A ticket that counts', customer_email: 'carla@example.com' });
    const { status } = await ask(`${system.gatewayOrigin}/api/v1/tickets`, { method: 'POST', headers, body });
    expect('creating a ticket', status, 201);
    const begun = performance.now();
    while ((await total()) === before) await sleep(5, undefined, { signal: system.signal });
    found.push(performance.now() - begun);
  }
  return quantile(found, 0.5);
}

const idleMs = 15_000;

/**
 * Publishes changes to last week's tickets, as the consumers receive them, and measures the service and its part of PostgreSQL, without what
 * they need when nothing happens: roll-ups wait for a sweep for up to 30 seconds.
 */
async function changesCpu(system: BenchSystem, { id }: Place): Promise<{ facts: number; rollUps: number }> {
  const dirty = `select count(*)::integer as n from dirty_days where organization_id = '${id}'`;
  while ((await count(system, dirty)) > 0) await sleep(200, undefined, { signal: system.signal });
  const reading = () => ({ cpu: readCpu(system.product), at: performance.now() });
  const used = (from: ReturnType<typeof reading>, to: ReturnType<typeof reading>) =>
    Object.entries(cpuBetween(from.cpu, to.cpu))
      .filter(([label]) => label === 'analytics' || label.includes('tandem_analytics'))
      .reduce((sum, [, ms]) => sum + ms, 0);
  const handled = `select count(*)::integer as n from inbox where consumer like '%ticket-updated-facts'`;
  const handledBefore = await count(system, handled);
  const begun = reading();
  await publishChanges(system, id);
  while ((await count(system, handled)) < handledBefore + changes) await sleep(500, undefined, { signal: system.signal });
  const stored = reading();
  while ((await count(system, dirty)) > 0) await sleep(500, undefined, { signal: system.signal });
  const rolledUp = reading();
  await settled(system);
  const resting = reading();
  await sleep(idleMs, undefined, { signal: system.signal });
  const rested = reading();
  const work = (from: typeof begun, to: typeof begun) =>
    used(from, to) - (used(resting, rested) * (to.at - from.at)) / (rested.at - resting.at);
  return { facts: work(begun, stored), rollUps: work(stored, rolledUp) };
}

/** Writes the events to the outbox of tickets: one per ticket, with a changed status. */
async function publishChanges(system: BenchSystem, id: string): Promise<void> {
  const facts = await system.query<Record<string, unknown>>(
    'tandem_analytics',
    `select f.*, to_char(f.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created from ticket_facts f
     where organization_id = $1 and created_day > current_date - 8 order by random() limit $2`,
    [id, changes],
  );
  const now = new Date().toISOString();
  const rows = facts.map((fact) => ticketEvent(id, fact, now));
  await inDatabase(system.databaseUrl('tandem_tickets'), (client) =>
    client.query(
      `insert into outbox (id, organization_id, subject, type, sequence, envelope)
       select (e ->> 'id')::uuid, $1::uuid, e ->> 'subject', e ->> 'type', (e ->> 'sequence')::bigint, e from jsonb_array_elements($2::jsonb) e`,
      [id, JSON.stringify(rows)],
    ),
  );
}

function ticketEvent(organization_id: string, fact: Record<string, unknown>, now: string) {
  const { ticket_id, ticket_number, priority, category, tags, channel, assigned_to, created } = fact;
  const ticket = {
    id: ticket_id,
    organization_id,
    ticket_number,
    subject: 'Changed',
    description: null,
    status: 'waiting_for_customer',
    priority,
    category,
    tags,
    channel,
    customer_name: null,
    customer_email: 'carla@example.com',
    assigned_to,
    assignee: null,
    comment_count: 0,
    clickup_task_id: null,
    created_at: created,
    updated_at: now,
    resolved_at: null,
    version: 9,
  };
  const changes = { status: { from: 'open', to: 'waiting_for_customer' } };
  return {
    specversion: '1.0',
    id: crypto.randomUUID(),
    type: 'ticket.updated',
    source: '/services/tickets',
    time: now,
    subject: ticket_id,
    datacontenttype: 'application/json',
    organizationid: organization_id,
    actor: { type: 'system' },
    sequence: 9,
    requestid: 'bench',
    data: { ticket, changes },
  };
}
