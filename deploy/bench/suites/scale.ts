import { step } from '../../local/steps.ts';
import { generator, load, type LoadResult } from '../load.ts';
import { hasPgbench, pgbench } from '../pgbench.ts';
import { cpuBetween, foreignShare, readCpu } from '../processes.ts';
import type { Case } from '../replay.ts';
import type { Goal, Report, Table } from '../report.ts';
import { organizations, sizeOf, type Size } from '../seed.ts';
import { ask, signIn } from '../session.ts';
import { capture } from '../statements.ts';
import { quantile } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';
import { cpus } from 'node:os';
import { casesOf, check, settled, type MeasuredOrganization, type ScaleCase } from './scale-cases.ts';

/** BENCH_TICKETS and BENCH_ORGANIZATIONS change the size, which is a fiftieth of docs/scale.md's by default; BENCH_ROUNDS and BENCH_SECONDS make the figures more stable. BENCH_CASES, a pattern, selects cases by name. */
const wanted = Number(process.env.BENCH_TICKETS ?? 1_000_000);
const organizationCount = Number(process.env.BENCH_ORGANIZATIONS ?? 200);
const hasOthers = organizationCount > 1;
const rounds = Number(process.env.BENCH_ROUNDS ?? 1);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
const selected = new RegExp(process.env.BENCH_CASES ?? '');
const connections = 16;

/** The kinds of work with a goal: at least half of the floor's throughput, and at most three times its p99. Measured in more rounds. */
const withGoal = ['open a ticket, with comments', 'change status', 'customer'];
/** Until V8 has compiled the code of the product and of the floor. */
const warmUpSeconds = 5;
const roundsOf = (work: string) => (withGoal.includes(work) ? Math.max(rounds, 5) : rounds);

const size: Size = {
  organizations: organizationCount,
  first: hasOthers ? wanted / 2 : wanted,
  each: hasOthers ? Math.ceil(wanted / 2 / (organizationCount - 1)) : 0,
  commented: Math.ceil(wanted / 100),
  people: 20,
};

interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}
interface Measured {
  organization: string;
  name: string;
  product: Figures;
  floor: Figures | undefined;
  pgbench: Figures | undefined;
  foreign: number;
  writes: boolean;
  /** CPU milliseconds per unit of work, by process, while the load ran and until its events were published and its emails sent. */
  cpu: { underLoad: Record<string, number>; untilSettled: Record<string, number> };
}

/** A million tickets, half of them in one organization: compares the product with its own statements in a bare process and in pgbench. */
export async function scaleSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  try {
    const measured: Measured[] = [];
    for (const which of hasOthers ? [0, 1] : [0]) {
      const organization = await measuredOrganization(system, which);
      const cases = (await casesOf(system, organization)).filter(({ name }) => selected.test(name));
      for (const each of cases) await check(system, organization, each);
      const observed = await step(`${organization.name}: capturing the statements`, () => observe(system, organization, cases));
      await warmUp(system, cases[0]!);
      await step(`${organization.name}: ${cases.length} cases`, async () => {
        for (const [i, each] of cases.entries())
          measured.push(await measure(system, organization, each, observed[i]!, `${organization.id}-${i}`));
      });
    }
    return {
      tables: [table(measured), costOfWrites(measured), flatness(measured)],
      figures: {
        generator,
        pgbench: hasPgbench,
        tickets: sizeOf(size),
        organizations: size.organizations,
        connections,
        seconds,
        rounds,
        measured,
      },
      goals: goalsOf(measured),
    };
  } finally {
    await system.stop();
  }
}

/** Signs in to the largest organization (0) or a small one (1). The access token is valid for ten minutes, which the cases of one need. */
async function measuredOrganization(system: BenchSystem, which: number): Promise<MeasuredOrganization> {
  const { id, people } = organizations[which]!;
  const tickets = which === 0 ? size.first : size.each;
  const name = `${which === 0 ? 'the largest' : 'a small one'} (${tickets.toLocaleString('en')})`;
  return { name, id, tickets, session: await signIn(system.gatewayOrigin, people[0]!) };
}

/** Captures the statements of each case for the floor and pgbench, without duplicate variants. */
async function observe(system: BenchSystem, organization: MeasuredOrganization, cases: ScaleCase[]): Promise<Case[]> {
  const calls = cases.map(({ calls }) => calls);
  const performed = calls.flat().map(({ method, path, headers = {}, body }) => async () => {
    await ask(system.gatewayOrigin + path, { method, headers, ...(body === undefined ? {} : { body }) });
  });
  const observed = await capture(system, organization.id, performed);
  let next = 0;
  return cases.map(({ calls, callsPerWork }) => {
    const own = observed.slice(next, (next += calls.length));
    const variants = Array.from({ length: own.length / callsPerWork }, (_, i) => {
      const together = own.slice(i * callsPerWork, (i + 1) * callsPerWork);
      return { works: together.flatMap(({ works }) => works), fresh: together.flatMap(({ fresh }) => fresh) };
    });
    return { organization_id: organization.id, variants };
  });
}

async function warmUp(system: BenchSystem, { calls }: ScaleCase): Promise<void> {
  const { signal, directory } = system;
  await load({ origin: system.gatewayOrigin, calls, connections, seconds: 3, directory, signal });
}

async function measure(
  system: BenchSystem,
  organization: MeasuredOrganization,
  each: ScaleCase,
  observed: Case,
  name: string,
): Promise<Measured> {
  const { signal, directory } = system;
  const path = `/cases/${name}`;
  const statements = JSON.stringify(observed);
  await ask(system.floorOrigin + path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: statements });
  const method = each.writes ? 'POST' : 'GET';
  const first = await ask(system.floorOrigin + path, { method });
  if (first.status !== 200) throw new Error(`the floor failed on '${each.name}': ${JSON.stringify(first.body)}`);
  const pace = { connections, seconds, directory, signal };
  const productLoad = { origin: system.gatewayOrigin, calls: each.calls, ...pace };
  const floorLoad = { origin: system.floorOrigin, calls: [{ method, path } as const], ...pace };
  if (withGoal.includes(each.name)) {
    for (const side of [productLoad, floorLoad]) await load({ ...side, seconds: warmUpSeconds });
    if (each.writes) await settled(system);
  }
  const found: { product: LoadResult[]; floor: LoadResult[]; pgbench: LoadResult[] } = { product: [], floor: [], pgbench: [] };
  const processes = [...system.product, ...system.floor.filter(({ name }) => name === 'floor')];
  const before = readCpu(processes);
  const used: Measured['cpu'] = { underLoad: {}, untilSettled: {} };
  for (let round = 0; round < roundsOf(each.name); round++) {
    const begun = readCpu(system.product);
    found.product.push(await load(productLoad));
    add(used.underLoad, cpuBetween(begun, readCpu(system.product)));
    if (each.writes) await settled(system);
    add(used.untilSettled, cpuBetween(begun, readCpu(system.product)));
    found.floor.push(await load(floorLoad));
    const address = system.env('TICKETS_DATABASE_URL');
    if (hasPgbench) found.pgbench.push(await pgbench(observed, { url: address, ...pace }));
  }
  const foreign = foreignShare(before, readCpu(processes), cpus().length);
  const works = found.product.reduce((sum, { requests }) => sum + requests, 0) / each.callsPerWork;
  const perWork = (sums: Record<string, number>) => Object.fromEntries(Object.entries(sums).map(([name, ms]) => [name, ms / works]));
  const figures = (results: LoadResult[], callsPerWork = 1) => (results.length > 0 ? figuresOf(results, callsPerWork) : undefined);
  return {
    organization: organization.name,
    name: each.name,
    writes: each.writes,
    product: figures(found.product, each.callsPerWork)!,
    floor: figures(found.floor),
    pgbench: figures(found.pgbench),
    foreign,
    cpu: { underLoad: perWork(used.underLoad), untilSettled: perWork(used.untilSettled) },
  };
}

function add(sums: Record<string, number>, more: Record<string, number>): void {
  for (const [name, ms] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + ms;
}

/** Medians over the rounds. If a unit of work has two calls, the latencies are those of one call. */
function figuresOf(results: LoadResult[], callsPerWork: number): Figures {
  const median = (figure: (result: LoadResult) => number) => quantile(results.map(figure), 0.5);
  return {
    perSecond: median(({ requests, seconds }) => requests / seconds / callsPerWork),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
  };
}

function table(measured: Measured[]): Table {
  const cells = (figures: Figures | undefined) =>
    figures ? [figures.perSecond.toFixed(0), figures.p50Ms.toFixed(1), figures.p99Ms.toFixed(1)] : ['–', '–', '–'];
  const ratio = (a: number, b: number | undefined) => (b === undefined ? '–' : (a / b).toFixed(2));
  return {
    title: `${sizeOf(size).toLocaleString('en')} tickets in ${size.organizations} organizations, ${connections} connections (${generator}). The floor is a bare Fastify process with the product's own statements, pgbench the statements alone. Goals: ÷ floor at least 0.5, p99 at most 3 ×`,
    columns: ['organization', 'work', 'product /s', 'p50 ms', 'p99', 'floor /s', 'p50', 'p99', 'pgbench /s', 'p50', 'p99', '/s ÷ floor', 'p99 ÷ floor', 'foreign CPU'],
    rows: measured.map(({ organization, name, product, floor, pgbench, foreign }) => [
      organization,
      name,
      ...cells(product),
      ...cells(floor),
      ...cells(pgbench),
      ratio(product.perSecond, floor?.perSecond),
      ratio(product.p99Ms, floor?.p99Ms),
      `${(100 * foreign).toFixed(0)} %`,
    ]),
  }; // prettier-ignore
}

function costOfWrites(measured: Measured[]): Table {
  const writes = measured.filter((each) => each.writes);
  const names = [...new Set(writes.flatMap(({ cpu }) => Object.keys(cpu.untilSettled)))];
  const cell = (ms: number | undefined) => (ms ?? 0).toFixed(2);
  const cells = ({ underLoad, untilSettled }: Measured['cpu'], name: string) => `${cell(underLoad[name])} / ${cell(untilSettled[name])}`;
  return {
    title:
      'CPU milliseconds per write: while the load ran / until its events were published and its emails sent, when closed connections count as postgres',
    columns: ['', ...writes.map(({ organization, name }) => `${name}, ${organization}`)],
    rows: names.map((name) => [name, ...writes.map(({ cpu }) => cells(cpu, name))]),
  };
}

/** Of the largest organization. */
function goalsOf(measured: Measured[]): Goal[] {
  const [first] = measured;
  const ofFloor = withGoal.flatMap((name): Goal[] => {
    const { product, floor } = measured.find((each) => each.organization === first?.organization && each.name === name) ?? {};
    const work = `${sizeOf(size).toLocaleString('en')} tickets, ${name}`;
    return [
      {
        id: 'G6',
        work: `${work}: floor's throughput ÷ product's`,
        measured: ratioOf(floor?.perSecond, product?.perSecond),
        limit: 2,
        unit: '×',
      },
      { id: 'G6', work: `${work}: p99 ÷ floor's`, measured: ratioOf(product?.p99Ms, floor?.p99Ms), limit: 3, unit: '×' },
    ];
  });
  const flat = { id: 'G6', work: 'list, largest ÷ small organization, p50', measured: firstPageRatio(measured), limit: 1.3, unit: '×' };
  return hasOthers ? [flat, ...ofFloor] : ofFloor;
}

const ratioOf = (a: number | undefined, b: number | undefined): number => (a ?? NaN) / (b ?? NaN);

function firstPageRatio(measured: Measured[]): number {
  const [largest, small] = measured.filter(({ name }) => /first page/.test(name)).map(({ product }) => product.p50Ms);
  return (largest ?? NaN) / (small ?? NaN);
}

/** The cost of a list must depend neither on the page depth nor on the size of other organizations. */
function flatness(measured: Measured[]): Table {
  const rateOf = (organization: string, name: RegExp) =>
    measured.find((each) => each.organization === organization && name.test(each.name))?.product.perSecond ?? NaN;
  const places = [...new Set(measured.map(({ organization }) => organization))];
  const [largest, small] = places as [string, string?];
  const depth = places.map((organization) => [
    `${organization}: at depth ÷ first page`,
    (rateOf(organization, /at depth/) / rateOf(organization, /first page/)).toFixed(2),
  ]);
  const compared = (one: string, other: string) => [
    `first page: ${one} ÷ ${other}`,
    (rateOf(one, /first page/) / rateOf(other, /first page/)).toFixed(2),
  ];
  return {
    title: 'Is the cost of a list constant? Ratio of two throughputs; 1 means equal',
    columns: ['', '/s ÷ /s'],
    rows: small === undefined ? depth : [...depth, compared(largest, small)],
  };
}
