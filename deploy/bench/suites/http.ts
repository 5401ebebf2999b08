import { step } from '../../local/steps.ts';
import { generator } from '../load.ts';
import { memoryOf } from '../processes.ts';
import type { Goal, Report, Table } from '../report.ts';
import { compare, cpuOfEach, over, ratio, type Candidate, type Comparison, type Slice } from '../rounds.ts';
import { shown } from '../statistics.ts';
import { BenchSystem } from '../bench-system.ts';
import * as cases from './cases.ts';
import { untilIdle } from './idle-memory.ts';

const floor = 'floor';
const product = 'product';
const cpu = (slice: Slice) => slice.cpu;

/** The cost of the response to a create: without consumers, emails and their servers. */
const answering = ['gateway', 'tickets', 'postgres:tandem_tickets:tandem_tickets'];
const cpuOfAnswering = ({ cpuByProcess }: Slice) => answering.reduce((sum, name) => sum + (cpuByProcess[name] ?? 0), 0);

interface Case {
  work: string;
  goal: string;
  comparison: Comparison;
}

/** Compares list, open, create and the unchanged read through the gateway with the floor; then memory. */
export async function httpSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal);
  try {
    const measured: Case[] = [];
    for (const [work, goal, measure] of works) {
      measured.push({ work, goal, comparison: await step(work, () => measure(system)) });
    }
    const loaded = memoryOf(system.product, cases.isOfProduct);
    await untilIdle();
    const memory = memoryOf(system.product, cases.isOfProduct);
    return {
      tables: [cpuTable(measured), speedTable(measured), shareTable(measured), memoryTable(loaded, memory)],
      figures: { generator, appStartMs: system.appStartMs, cases: measured, memoryMb: memory, loadedMemoryMb: loaded },
      goals: goalsOf(measured, memory),
    };
  } finally {
    await system.stop();
  }
}

const works: [work: string, goal: string, measure: (system: BenchSystem) => Promise<Comparison>][] = [
  ['list, 25 newest of 10,000', '≤ 2.0 ×', (system) => list(system, 16)],
  ['the same, one connection', 'p50 ≤ 1.5 ms', (system) => list(system, 1)],
  ['open with 6 comments', '≤ 2.2 ×', open],
  ['create, to the last mail', '(create ≤ 2.0 ×)', create],
  ['unchanged ticket (304)', '(list: ≤ 0.25 ×)', unchanged],
];

async function list(system: BenchSystem, connections: number): Promise<Comparison> {
  const session = await cases.readerOf(system);
  const candidates = [
    cases.floorOf(system, floor, cases.listOfFloor),
    cases.productOf(system, product, () => cases.listOfProduct(session)),
  ];
  for (const candidate of candidates) await cases.checkList(system, candidate);
  return compare(system, candidates, { connections, seconds: connections === 1 ? 2 : 3 });
}

async function open(system: BenchSystem): Promise<Comparison> {
  const session = await cases.readerOf(system);
  const ids = await cases.newestIds(system, 100);
  const floors = cases.floorOf(system, floor, () => cases.openOfFloor(ids));
  const products = cases.productOf(system, product, () => cases.openOfProduct(ids, session), 2);
  await cases.checkOpen(floors, products, ids);
  return compare(system, [floors, products], { connections: 16, seconds: 3 });
}

async function create(system: BenchSystem): Promise<Comparison> {
  const session = await cases.writerOf(system);
  const { settle, close } = await cases.settler(system);
  try {
    const candidates: Candidate[] = [
      cases.floorOf(system, floor, cases.createOfFloor),
      { ...cases.productOf(system, product, () => cases.createOfProduct(session)), settle },
    ];
    for (const candidate of candidates) await cases.checkCreate(system, candidate);
    await settle();
    return await compare(system, candidates, { connections: 16, seconds: 2 });
  } finally {
    await close();
  }
}

/** The floor has no entity tags, so it reads the ticket. */
async function unchanged(system: BenchSystem): Promise<Comparison> {
  const session = await cases.readerOf(system);
  const ids = await cases.newestIds(system, 100);
  const etag = await cases.entityTag(system, ids[0]!, session);
  const candidates = [
    cases.floorOf(system, floor, () => cases.readOfFloor(ids)),
    cases.productOf(system, product, () => cases.unchangedOfProduct(ids, session, etag)),
  ];
  return compare(system, candidates, { connections: 16, seconds: 2 });
}

function goalsOf(measured: Case[], memory: Record<string, number>): Goal[] {
  const [list, single, open, create, unchanged] = measured.map(({ comparison }) => comparison) as [
    Comparison,
    Comparison,
    Comparison,
    Comparison,
    Comparison,
  ];
  const timesFloor = (comparison: Comparison, figure = cpu) => ratio(comparison, product, floor, figure, cpu).median;
  const unit = '× floor';
  return [
    { id: 'G1', work: 'list', measured: timesFloor(list), limit: 2, unit },
    { id: 'G1', work: 'list, one connection, p50', measured: over(single, product, ({ p50Ms }) => p50Ms).median, limit: 1.5, unit: 'ms' },
    {
      id: 'G2',
      work: 'unchanged ticket ÷ list',
      measured: over(unchanged, product, cpu).median / over(list, floor, cpu).median,
      limit: 0.25,
      unit,
    },
    { id: 'G3', work: 'ticket with comments', measured: timesFloor(open), limit: 2.2, unit },
    { id: 'G4', work: 'create', measured: timesFloor(create, cpuOfAnswering), limit: 2, unit },
    {
      id: 'G11',
      work: 'memory of six processes and servers, idle after load',
      measured: Object.values(memory).reduce((sum, mb) => sum + mb, 0),
      limit: 600,
      unit: 'MB',
    },
  ];
}

function cpuTable(measured: Case[]): Table {
  const row = (work: string, goal: string, comparison: Comparison, figure: (slice: Slice) => number) => [
    work,
    shown(over(comparison, floor, cpu)),
    shown(over(comparison, product, figure)),
    shown(ratio(comparison, product, floor, figure, cpu)),
    goal,
  ];
  const rows = measured.flatMap(({ work, goal, comparison }) => [
    row(work, goal, comparison, cpu),
    ...(work.startsWith('create') ? [row('create, response only', '≤ 2.0 ×', comparison, cpuOfAnswering)] : []),
  ]);
  return {
    title: 'CPU of all processes per unit of work, ms: median [quartiles] of 5 rounds',
    columns: ['work', 'floor', 'product', 'product ÷ floor', 'goal'],
    rows,
  };
}

function speedTable(measured: Case[]): Table {
  const figures: [(slice: Slice) => number, number][] = [
    [(slice) => slice.perSecond, 0],
    [(slice) => slice.p50Ms, 2],
    [(slice) => slice.p99Ms, 2],
  ];
  const rows = measured.map(({ work, comparison }) => [
    work,
    ...figures.flatMap(([figure, digits]) => [floor, product].map((name) => over(comparison, name, figure).median.toFixed(digits))),
    [floor, product].map((name) => `${(100 * over(comparison, name, (slice) => slice.foreign).median).toFixed(0)} %`).join(' / '),
  ]);
  return {
    title: `Throughput and latency (${generator}; 16 connections unless noted; an open has two requests, and its latency is per request). Foreign CPU: the share of the machine that other processes used; above 15 %, rely on the ratios only`,
    columns: ['work', 'floor /s', 'product /s', 'floor p50 ms', 'product p50', 'floor p99', 'product p99', 'foreign CPU'],
    rows,
  };
}

function shareTable(measured: Case[]): Table {
  const part = (comparison: Comparison, name: string) =>
    cpuOfEach(comparison, name)
      .filter(([, ms]) => ms >= 0.01)
      .map(([process, ms]) => `${process.replace(/^postgres:tandem_(\w+):.*/, 'postgres/$1')} ${ms.toFixed(2)}`)
      .join(' · ');
  return {
    title: 'Where the CPU goes, ms per unit of work',
    columns: ['work', 'floor', 'product'],
    rows: measured.map(({ work, comparison }) => [work, part(comparison, floor), part(comparison, product)]),
  };
}

function memoryTable(loaded: Record<string, number>, idle: Record<string, number>): Table {
  const total = (memory: Record<string, number>) => Object.values(memory).reduce((sum, mb) => sum + mb, 0);
  const rows = Object.keys(idle).map((name) => [name, loaded[name]!.toFixed(0), idle[name]!.toFixed(0), '']);
  return {
    title: 'Memory after this load, PSS in MB',
    columns: ['process', 'at once', 'idle', 'goal'],
    rows: [...rows, ['all', total(loaded).toFixed(0), total(idle).toFixed(0), '≤ 600']],
  };
}
