import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcesses, identityOf, sendSignal, type ProcessIdentity } from './process-identity.ts';

/** The program to run, and its user. */
export interface Command {
  file: string;
  args: string[];
  cwd: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
}

/** A process managed by the starter. */
export interface ProcessDefinition {
  name: string;
  logFile: string;
  command(): Command;
  /** Resolves when the process responds and its identity is verified; throws until then. */
  ready(): Promise<void>;
  readyWithinMs: number;
  stopSignal: NodeJS.Signals;
  /** Maximum time between `stopSignal` and SIGKILL. */
  graceMs: number;
  /** Called right after the process is spawned, before anything else can fail: after a crash, a later starter must find the process. */
  spawned(identity: ProcessIdentity): void;
}

/** A process exited while starting, or did not respond in time. `output` is what it wrote since its start. */
export class StartFailure extends Error {
  readonly output: string;
  constructor(name: string, what: string, output: string, logFile: string) {
    super(`${name} ${what}\n${lastLines(output, 20) || '(no output)'}\n(log: ${logFile})`);
    this.output = output;
  }
}

const keptLogBytes = 5_000_000;
/** After this long a ready process counts as stable: its next crash is treated as the first. */
export const stableAfterMs = 5_000;
const longestPauseMs = 10_000;

/**
 * No pause after the first crash, because its cause has probably passed. Then it doubles up to 10 s, so that a failing process uses no CPU.
 */
export const pauseAfterCrash = (crashes: number): number => (crashes <= 1 ? 0 : Math.min(250 * 2 ** (crashes - 1), longestPauseMs));

/** Starts, watches and stops one process. With `supervise` it is restarted after a crash: see `pauseAfterCrash`. */
export class ManagedProcess {
  readonly definition: ProcessDefinition;
  readonly #log: (line: string) => void;
  readonly #supervise: boolean;
  #child: ChildProcess | undefined;
  #identity: ProcessIdentity | undefined;
  #wanted = false;
  #crashes = 0;
  #since = 0;
  #pause: AbortController | undefined;

  constructor(definition: ProcessDefinition, log: (line: string) => void, supervise: boolean) {
    this.definition = definition;
    this.#log = log;
    this.#supervise = supervise;
  }

  get name(): string {
    return this.definition.name;
  }

  /** Pid of the running process, else undefined. */
  get pid(): number | undefined {
    return this.#child && this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  /** Returns when the process is ready. Throws StartFailure (and leaves nothing running) if it exits or does not respond in time. */
  async start(): Promise<void> {
    if (this.pid) return;
    this.#wanted = true;
    const logFrom = this.#spawn();
    const child = this.#child!;
    try {
      await this.#untilReady(child, logFrom);
      this.#since = Date.now();
    } catch (error) {
      this.#wanted = false;
      await this.#end(child, 'SIGKILL', 0);
      throw error;
    }
    if (this.#supervise) this.#watch(child);
  }

  /** Stops the process, and cancels a pending restart. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.#pause?.abort();
    if (this.#child) await this.#end(this.#child, this.definition.stopSignal, this.definition.graceMs);
  }

  /** Sends a signal, to inject a fault. If the signal is deadly, returns after the process has exited. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!this.pid || !child || !this.#identity) throw new Error(`${this.name} is not running`);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    sendSignal(this.#identity, signal);
    if (['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGQUIT'].includes(signal)) await ended;
  }

  /** For a process that is about to exit itself and cannot wait. */
  signalNow(): void {
    if (this.#identity && this.pid) sendSignal(this.#identity, this.definition.stopSignal);
  }

  #spawn(): number {
    const { file, args, cwd, env, uid, gid } = this.definition.command();
    const { logFile, name } = this.definition;
    mkdirSync(dirname(logFile), { recursive: true });
    if (existsSync(logFile) && statSync(logFile).size > keptLogBytes) renameSync(logFile, `${logFile}.1`);
    const output = openSync(logFile, 'a', 0o600);
    const logFrom = statSync(logFile).size;
    try {
      // A separate session: a Ctrl-C in the terminal reaches only the starter, which then stops everything in order.
      this.#child = spawn(file, args, {
        cwd,
        env: { ...process.env, ...env },
        uid,
        gid,
        detached: true,
        stdio: ['ignore', output, output],
      });
    } finally {
      closeSync(output);
    }
    // A file that cannot be executed is reported by this event; without a listener it would crash the starter.
    this.#child.once('error', (error) => this.#log(`${name}: ${error.message}`));
    this.#identity = this.#child.pid ? identityOf(this.#child.pid) : undefined;
    if (this.#identity) this.definition.spawned(this.#identity);
    return logFrom;
  }

  async #untilReady(child: ChildProcess, logFrom: number): Promise<void> {
    const { name, logFile, readyWithinMs } = this.definition;
    const deadline = Date.now() + readyWithinMs;
    let last: unknown;
    for (;;) {
      if (!child.pid) throw new StartFailure(name, `cannot be run: ${child.spawnfile}`, '', logFile);
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new StartFailure(
          name,
          `exited while starting (${child.signalCode ?? `exit code ${child.exitCode}`}):`,
          readFrom(logFile, logFrom),
          logFile,
        );
      }
      try {
        return await this.definition.ready();
      } catch (error) {
        last = error;
      }
      if (Date.now() > deadline) {
        const why = last instanceof Error ? last.message : String(last);
        throw new StartFailure(name, `was not ready within ${readyWithinMs / 1000} s: ${why}`, readFrom(logFile, logFrom), logFile);
      }
      await sleep(25);
    }
  }

  #watch(child: ChildProcess): void {
    const died = () => {
      if (!this.#wanted || this.#child !== child) return;
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      if (Date.now() - this.#since > stableAfterMs) this.#crashes = 0;
      void this.#restartAfterCrash(how);
    };
    if (this.pid) child.once('exit', died);
    else died();
  }

  async #restartAfterCrash(how: string): Promise<void> {
    for (let why = how; this.#wanted;) {
      const pauseMs = pauseAfterCrash(++this.#crashes);
      this.#log(`${this.name} exited (${why}); restarting it in ${pauseMs / 1000} s; log: ${this.definition.logFile}`);
      this.#pause = new AbortController();
      try {
        await sleep(pauseMs, undefined, { signal: this.#pause.signal });
      } catch {
        return; // stopped during the pause
      }
      try {
        await this.start();
        this.#log(`${this.name} is running again`);
        return;
      } catch (error) {
        if (this.#pause.signal.aborted) return;
        this.#wanted = true;
        why = (error as Error).message.split('\n')[0] ?? '';
      }
    }
  }

  async #end(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void> {
    if (this.#identity) await endProcesses([this.#identity], signal, graceMs);
    // The operating system may report the exit before Node does; wait for Node too, so that `pid` is correct.
    if (child.pid && child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
  }
}

function readFrom(file: string, from: number): string {
  const length = Math.min(Math.max(statSync(file).size - from, 0), 64_000);
  const buffer = Buffer.alloc(length);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, buffer, 0, length, from);
  closeSync(descriptor);
  return buffer.toString('utf8');
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
