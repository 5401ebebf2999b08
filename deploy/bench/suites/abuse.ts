import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { generator, loadWithErrors, type Outcome } from '../load.ts';
import { cpuBetween, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';
import { organizationsOf, type Size } from '../seed.ts';
import { tokenOf, type Caller } from '../session.ts';
import { quantile } from '../statistics.ts';
import { Victims } from '../victims.ts';

const size: Size = { organizations: 21, first: 10_000, each: 10_000, commented: 100, people: 5 };
const rounds = 3;
const seconds = 20;
const connections = 16;
/** More than the gateway lets wait, so that it refuses the others immediately (gateway/src/limits/refusal-delays.ts). */
const manyConnections = 1_200;
/** The product's own limits, which the other suites raise. */
const limited = { RATE_LIMIT_API_PER_MINUTE: '', RATE_LIMIT_REST_API_PER_MINUTE: '' };

interface Measured {
  alone: number[];
  beside: number[];
  /** Per round with the abuser. */
  abuse: Outcome[];
  /** CPU milliseconds of all processes per refused request. */
  refusalMs: number;
}

/** One client calls the API as fast as it can, while twenty other organizations read their lists from the same address. */
export async function abuseSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size, limited);
  try {
    const [first, ...others] = organizationsOf(size);
    const abuser = await tokenOf(system, first!.people[0]!);
    const victims = await Victims.of(system, others);
    const wait = () => sleep(seconds * 1_000, undefined, { signal });
    await step('lists to warm up', () => victims.during(wait));
    const measured: Measured = { alone: [], beside: [], abuse: [], refusalMs: NaN };
    for (let round = 1; round <= rounds; round++) {
      const alone = await step(`lists without the abuser (${round} of ${rounds})`, () => victims.during(wait));
      measured.alone.push(...alone.latencies);
      const beside = await step('the same, with the abuser', () => victims.during(() => abuse(system, abuser, seconds)));
      measured.beside.push(...beside.latencies);
      measured.abuse.push(beside.result);
    }
    measured.refusalMs = await step('refused requests alone', () => costOfRefusal(system, abuser));
    return report(measured);
  } finally {
    await system.stop();
  }
}

function abuse(system: BenchSystem, { headers }: Caller, duration: number, from = connections): Promise<Outcome> {
  const { gatewayOrigin: origin, directory, signal } = system;
  const calls = [{ method: 'GET' as const, path: '/api/v1/tickets?limit=25', headers }];
  return loadWithErrors({ origin, calls, connections: from, seconds: duration, directory, signal });
}

/** The first seconds use up what the token may call in this minute. */
async function costOfRefusal(system: BenchSystem, abuser: Caller): Promise<number> {
  await abuse(system, abuser, 10);
  const before = readCpu(system.product);
  const { result, errors } = await abuse(system, abuser, 5, manyConnections);
  const used = Object.values(cpuBetween(before, readCpu(system.product))).reduce((sum, ms) => sum + ms, 0);
  if (errors !== result.requests) throw new Error(`${result.requests - errors} of ${result.requests} requests were not refused`);
  return used / result.requests;
}

function report({ alone, beside, abuse: outcomes, refusalMs }: Measured): Report {
  const cells = (latencies: number[]) => [0.5, 0.95, 0.99].map((q) => quantile(latencies, q).toFixed(1));
  const sum = (figure: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + figure(outcome), 0);
  const [requests, refused] = [sum(({ result }) => result.requests), sum(({ errors }) => errors)];
  const perSecond = requests / sum(({ result }) => result.seconds);
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
  return {
    tables: [
      {
        title: `Lists of twenty organizations, 100 a second together, ms; the abuser (${generator}, ${connections} connections) sends ${perSecond.toFixed(0)} requests a second, of which ${((100 * refused) / requests).toFixed(1)} % are refused`,
        columns: ['', 'p50', 'p95', 'p99'],
        rows: [
          ['without the abuser', ...cells(alone)],
          ['with the abuser', ...cells(beside)],
        ],
      },
      { title: 'A refused request', columns: ['CPU of all processes, ms', 'goal'], rows: [[refusalMs.toFixed(3), '≤ 0.1']] },
    ],
    figures: { alone, beside, abuse: outcomes, refusalMs },
    goals: [
      { id: 'G9', work: 'list next to an abusive client: p99 ÷ p99 without it', measured: ratio, limit: 2, unit: '×' },
      { id: 'G9', work: 'CPU of a refused request', measured: refusalMs, limit: 0.1, unit: 'ms' },
    ],
  };
}
