/** CPU time and memory of process trees, from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  name: string;
  pid: number;
}

/** On Linux the kernel counts in hundredths of a second on all platforms that Node supports. */
const tickMs = 10;

interface Stat {
  parent: number;
  /** Own CPU time, in milliseconds. */
  own: number;
  /** CPU time of its exited children that it has waited for. */
  ended: number;
}

function statOf(pid: number | 'self'): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1]!, own: (fields[11]! + fields[12]!) * tickMs, ended: (fields[13]! + fields[14]!) * tickMs };
  } catch {
    return undefined; // exited
  }
}

/** The pid and all of its descendants. */
function treeOf(root: number, parents: Map<number, number>): number[] {
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

function allParents(): Map<number, number> {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return new Map(pids.map((pid) => [pid, statOf(pid)?.parent ?? 0]));
}

/** The title of a PostgreSQL backend contains its database: `postgres: user database address state`. */
function labelOf(root: Process, pid: number): string {
  if (root.name !== 'postgres' || pid === root.pid) return root.name;
  try {
    const [, user, database, address] = /^postgres: (\S+) (\S+) (\S+)/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? [];
    return user && database && address?.includes('(') ? `postgres:${database}:${user}` : root.name;
  } catch {
    return root.name; // exited
  }
}

/** CPU times at one moment, to compare with a later reading. */
export interface Reading {
  /** Per root process: its own CPU including its exited children, and each running descendant. */
  roots: { name: string; own: number; living: Map<number, { label: string; ms: number }> }[];
  at: number;
  /** CPU used by the whole machine, and by this process and its exited children (the load generators). */
  machine: number;
  self: number;
}

export function readCpu(processes: Process[]): Reading {
  const parents = allParents();
  const roots = processes.map((root) => {
    const stat = statOf(root.pid);
    if (!stat) throw new Error(`${root.name} (process ${root.pid}) has exited`);
    const living = new Map<number, { label: string; ms: number }>();
    for (const pid of treeOf(root.pid, parents).slice(1)) {
      const child = statOf(pid);
      if (child) living.set(pid, { label: labelOf(root, pid), ms: child.own + child.ended });
    }
    return { name: root.name, own: stat.own + stat.ended, living };
  });
  const self = statOf('self')!;
  return { roots, at: performance.now(), machine: machineMs(), self: self.own + self.ended };
}

/** CPU milliseconds between two readings, by process; those of PostgreSQL's backends by database and user. */
export function cpuBetween(before: Reading, after: Reading): Record<string, number> {
  const used: Record<string, number> = {};
  const add = (label: string, ms: number) => (used[label] = (used[label] ?? 0) + ms);
  for (const [i, root] of after.roots.entries()) {
    const first = before.roots[i]!;
    // The CPU time of a child that has exited since is now included in its parent's, together with what it used before the first reading.
    const ended = [...first.living].filter(([pid]) => !root.living.has(pid)).reduce((sum, [, { ms }]) => sum + ms, 0);
    add(root.name, root.own - first.own - ended);
    for (const [pid, { label, ms }] of root.living) add(label, ms - (first.living.get(pid)?.ms ?? 0));
  }
  return used;
}

/**
 * The share of the machine (0 to 1) used by other processes between two readings: all except the measured ones, this process and its load
 * generators.
 */
export function foreignShare(before: Reading, after: Reading, processors: number): number {
  const measured = Object.values(cpuBetween(before, after)).reduce((sum, ms) => sum + ms, 0);
  const strangers = after.machine - before.machine - measured - (after.self - before.self);
  return Math.max(0, strangers) / ((after.at - before.at) * processors);
}

function machineMs(): number {
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1).map(Number);
  return (user! + nice! + system! + irq! + softirq!) * tickMs;
}

/** CPU time of a process's main thread in milliseconds, without its other threads. */
export const mainThreadMs = (pid: number): number => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** Memory of each process tree in MB: PSS, which counts shared pages once. Without the server processes of accounts that are not `owned`. */
export function memoryOf(processes: Process[], owned: (account: string) => boolean = () => true): Record<string, number> {
  const parents = allParents();
  const memory = (root: Process) => treeOf(root.pid, parents).reduce((sum, pid) => sum + (owned(labelOf(root, pid)) ? pssMb(pid) : 0), 0);
  return Object.fromEntries(processes.map((root) => [root.name, memory(root)]));
}

function pssMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // exited
  }
}
