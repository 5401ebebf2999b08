/** Compares candidates side by side: short alternating slices, in a new order each round, so that a noisy minute affects all of them. */
import { cpus } from 'node:os';
import { load, type Call } from './load.ts';
import { cpuBetween, foreignShare, readCpu, type Process } from './processes.ts';
import { quantile, shuffled, spread, type Spread } from './statistics.ts';
import type { BenchSystem } from './bench-system.ts';

export interface Candidate {
  name: string;
  origin: string;
  /** Called for each slice, because signatures and sessions expire. */
  calls: () => Call[];
  /** How many requests make one unit of work; default 1. */
  requestsPerWork?: number;
  processes: () => Process[];
  /** Which CPU accounts belong to the candidate; default all. */
  owns?: (account: string) => boolean;
  /** Waits for the background work that the slice has caused: it is part of the cost, and must not disturb the next slice. */
  settle?: () => Promise<void>;
}

export interface Slice {
  /** CPU milliseconds per unit of work, of all processes. */
  cpu: number;
  cpuByProcess: Record<string, number>;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  foreign: number;
  settleMs: number;
}

export interface Comparison {
  rounds: Record<string, Slice>[];
  repeated: number;
}

export interface Pace {
  connections: number;
  seconds: number;
  rounds?: number;
}

/** A slice in which other processes used more than this share of the machine is repeated, at most `repeatsAtMost` times. */
const noisy = 0.15;
const repeatsAtMost = 3;
/** Time for compilation of hot code and for filling caches. */
const warmUpSeconds = 10;

export async function compare(
  system: BenchSystem,
  candidates: Candidate[],
  { connections, seconds, rounds = 5 }: Pace,
): Promise<Comparison> {
  const comparison: Comparison = { rounds: [], repeated: 0 };
  for (const candidate of candidates) await slice(system, candidate, connections, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    const slices: Record<string, Slice> = {};
    for (const candidate of shuffled(candidates)) {
      let measured = await slice(system, candidate, connections, seconds);
      if (measured.foreign > noisy && comparison.repeated < repeatsAtMost) {
        comparison.repeated++;
        measured = await slice(system, candidate, connections, seconds);
      }
      slices[candidate.name] = measured;
    }
    comparison.rounds.push(slices);
  }
  return comparison;
}

async function slice(system: BenchSystem, candidate: Candidate, connections: number, seconds: number): Promise<Slice> {
  const { origin, calls, requestsPerWork = 1, owns = () => true } = candidate;
  const processes = candidate.processes();
  const before = readCpu(processes);
  const { signal, directory } = system;
  const result = await load({ origin, calls: calls(), connections, seconds, directory, signal });
  const loaded = Date.now();
  await candidate.settle?.();
  const settleMs = Date.now() - loaded;
  const after = readCpu(processes);
  const works = result.requests / requestsPerWork;
  const own = Object.entries(cpuBetween(before, after)).filter(([account]) => owns(account));
  const cpuByProcess = Object.fromEntries(own.map(([account, ms]) => [account, ms / works]));
  return {
    cpu: Object.values(cpuByProcess).reduce((sum, ms) => sum + ms, 0),
    cpuByProcess,
    perSecond: works / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    foreign: foreignShare(before, after, cpus().length),
    settleMs,
  };
}

/** One figure of a candidate over all rounds. */
export const over = (comparison: Comparison, name: string, figure: (slice: Slice) => number): Spread =>
  spread(comparison.rounds.map((slices) => figure(slices[name]!)));

/** A figure of one candidate as a multiple of another's in the same round. */
export const ratio = (comparison: Comparison, name: string, to: string, figure: (slice: Slice) => number, ofTo = figure): Spread =>
  spread(comparison.rounds.map((slices) => figure(slices[name]!) / ofTo(slices[to]!)));

/** The median CPU of each process per unit of work, the highest first. */
export function cpuOfEach(comparison: Comparison, name: string): [string, number][] {
  const names = new Set(comparison.rounds.flatMap((slices) => Object.keys(slices[name]!.cpuByProcess)));
  const figures = [...names].map((each): [string, number] => [
    each,
    quantile(
      comparison.rounds.map((slices) => slices[name]!.cpuByProcess[each] ?? 0),
      0.5,
    ),
  ]);
  return figures.sort((a, b) => b[1] - a[1]);
}
