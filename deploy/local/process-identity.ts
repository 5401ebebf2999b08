import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process beyond doubt: a pid alone may be given to somebody else, a pid with its start time is not (`boot` tells start times of two boots apart). */
export interface ProcessIdentity {
  pid: number;
  started: string;
  boot: string;
}

const hasProc = existsSync('/proc/self/stat');

/** Identity of a living process; undefined when there is none (a zombie counts as none: it runs nothing and holds no port). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const started = hasProc ? startedByProc(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started, boot: bootId() };
}

/** True while exactly this process lives; false once it is gone, also when its pid has been recycled. */
export function isAlive(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now !== undefined && now.started === identity.started && now.boot === identity.boot;
}

/** How a server of ours is told from a stranger who merely works in the same directory (a shell that went there, say). */
export interface Proof {
  /** Base names that its executable may have. */
  executables: string[];
  /** A part of its command line, for executables that run anything (node). */
  commandPart?: string;
}

/** Processes whose working directory is `directory` and that fit the proof. Linux only; elsewhere the recorded identities must do. */
export function processesIn(directory: string, proof: Proof): ProcessIdentity[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && fits(pid, directory, proof))
    .map(identityOf)
    .filter((identity) => identity !== undefined);
}

/** Ends these processes: `signal` first, SIGKILL after `graceMs`. Returns when all are gone; throws when one survives even that. */
export async function endProcesses(processes: ProcessIdentity[], signal: NodeJS.Signals, graceMs: number): Promise<void> {
  for (const each of processes) sendSignal(each, signal);
  if (await gone(processes, graceMs)) return;
  for (const each of processes) sendSignal(each, 'SIGKILL');
  if (await gone(processes, 5000)) return;
  throw new Error(
    `process ${processes
      .filter(isAlive)
      .map((p) => p.pid)
      .join(', ')} does not end, not even by SIGKILL`,
  );
}

/** Sends a signal to exactly this process; does nothing when it is gone. */
export function sendSignal(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function gone(processes: ProcessIdentity[], withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (processes.some(isAlive)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

function startedByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses itself: count the fields from its last ')'.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined; // no such process
  }
}

function startedByPs(pid: number): string | undefined {
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() ||
      undefined
    );
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}

function bootId(): string {
  return hasProc ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
}

function fits(pid: number, directory: string, proof: Proof): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== directory) return false;
    const executable = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
    if (!proof.executables.includes(executable)) return false;
    return !proof.commandPart || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(proof.commandPart);
  } catch {
    return false; // gone meanwhile, or another user's: not ours to end
  }
}
