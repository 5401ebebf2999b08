import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
  /** File for all output; by default it goes to the output of this process. */
  logFile?: string;
  /** The program prints passwords to stdout, so only stderr is logged and included in errors. */
  isResultSecret?: boolean;
  signal?: AbortSignal;
  /** Time for the program and its child processes to exit after SIGTERM, in milliseconds. */
  graceMs?: number;
}

/**
 * Runs a program until it exits. Returns its exit code and, if its output is logged, its stdout and stderr. `signal` terminates the program
 * and its child processes; the promise is rejected only after all of them have exited, so that the caller can remove their files.
 */
export async function run(file: string, args: string[], options: RunOptions): Promise<{ code: number; stdout: string; all: string }> {
  const { cwd, env, logFile, isResultSecret, signal, graceMs = 5_000 } = options;
  signal?.throwIfAborted();
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', logFile ? 'pipe' : 'inherit', logFile ? 'pipe' : 'inherit'],
    // In a separate process group, because Jest and nx exit on SIGTERM without terminating their workers.
    detached: signal !== undefined,
  });
  let ended: Promise<void> | undefined;
  const end = () => void (ended = endGroup(child.pid, graceMs));
  signal?.addEventListener('abort', end, { once: true });
  let [stdout, all] = ['', ''];
  if (logFile) mkdirSync(dirname(logFile), { recursive: true });
  const log = logFile ? createWriteStream(logFile, { flags: 'a', mode: 0o600 }) : undefined;
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  for (const stream of isResultSecret ? [child.stderr] : [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      log?.write(chunk);
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    // The program did not start, so there is no `close` event.
    child.once('error', reject);
    child.once('close', (exit) => resolve(exit ?? 1));
  });
  signal?.removeEventListener('abort', end);
  log?.end();
  await ended;
  signal?.throwIfAborted();
  return { code, stdout, all };
}

/** Terminates all processes of a group: SIGTERM first, then SIGKILL for those that still run after the grace period. */
async function endGroup(leader: number | undefined, graceMs: number): Promise<void> {
  if (leader === undefined) return;
  const deadline = Date.now() + graceMs;
  for (let sent = signalGroup(leader, 'SIGTERM'); sent && Date.now() < deadline; sent = signalGroup(leader, 0)) await sleep(20);
  signalGroup(leader, 'SIGKILL');
}

/** Returns false if the group has no processes. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Runs a program that must succeed: on failure throws with the end of its output. */
export async function mustRun(what: string, file: string, args: string[], options: RunOptions & { logFile: string }): Promise<string> {
  const { code, stdout, all } = await run(file, args, options);
  if (code !== 0)
    throw new Error(`${what} failed (exit code ${code}):\n${all.trimEnd().split('\n').slice(-40).join('\n')}\n(log: ${options.logFile})`);
  return stdout;
}
