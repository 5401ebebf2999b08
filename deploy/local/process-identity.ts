import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Identifies a process: a pid may be reused, but not with the same start time (`boot` distinguishes start times of different boots). */
export interface ProcessIdentity {
  pid: number;
  started: string;
  boot: string;
}

const hasProc = existsSync('/proc/self/stat');

/** Identity of a running process; undefined if there is none (a zombie does not count: it runs nothing and holds no port). */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const started = hasProc ? startedByProc(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started, boot: bootId() };
}

/** True while exactly this process runs; false once it has exited, even if its pid is reused. */
export function isAlive(identity: ProcessIdentity): boolean {
  const now = identityOf(identity.pid);
  return now !== undefined && now.started === identity.started && now.boot === identity.boot;
}

/** Distinguishes our servers from unrelated processes in the same working directory (for example a shell). */
export interface Proof {
  /** Base names that its executable may have. */
  executables: string[];
  /** A part of its command line, for executables that run anything (node). */
  commandPart?: string;
}

/** Processes whose working directory is `directory` and that match the proof. Linux only; other systems rely on the recorded identities. */
export function processesIn(directory: string, proof: Proof): ProcessIdentity[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && fits(pid, directory, proof))
    .map(identityOf)
    .filter((identity) => identity !== undefined);
}

/** Ends these processes: `signal` first, SIGKILL after `graceMs`. Returns when all have exited; throws if one survives. */
export async function endProcesses(processes: ProcessIdentity[], signal: NodeJS.Signals, graceMs: number): Promise<void> {
  for (const each of processes) sendSignal(each, signal);
  if (await gone(processes, graceMs)) return;
  for (const each of processes) sendSignal(each, 'SIGKILL');
  if (await gone(processes, 5000)) return;
  throw new Error(
    `process ${processes
      .filter(isAlive)
      .map((p) => p.pid)
      .join(', ')} does not exit, even after SIGKILL`,
  );
}

/** Sends a signal to exactly this process; does nothing if it has exited. */
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
    // The name in parentheses may contain spaces and parentheses: count the fields after its last ')'.
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
    return false; // exited in the meantime, or belongs to another user
  }
}
