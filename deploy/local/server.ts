import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedProcess, StartFailure, type Command } from './managed-process.ts';
import { freePort } from './ports.ts';
import { endProcesses, isAlive, processesIn, type ProcessIdentity, type Proof } from './process-identity.ts';
import { readState, updateServer } from './state.ts';

/** The servers of an instance. */
export type ServerName = 'postgres' | 'nats' | 'redis' | 'mailbox';

/** One kind of server: the parts in which they differ. */
export interface ServerKind {
  name: ServerName;
  /** Its private data directory, which is also its working directory, so that orphans can be recognized. */
  dataDirectory: string;
  proof: Proof;
  /** One entry per port; undefined if any port will do. */
  preferredPorts: (number | undefined)[];
  stopSignal: NodeJS.Signals;
  graceMs: number;
  /** Writes the files that the command needs (configuration, initial data). Called before each start. */
  prepare(ports: number[]): void | Promise<void>;
  command(ports: number[]): Command;
  /** Resolves when the server responds and has proven to be this one, not an unrelated one on the same port. */
  ready(ports: number[]): Promise<void>;
  endOrphans?(orphans: ProcessIdentity[]): Promise<void>;
}

/** The directory of an instance, and how it is run. */
export interface Instance {
  directory: string;
  ephemeral: boolean;
  log: (line: string) => void;
  /** Override the usual settings of PostgreSQL. */
  postgresSettings?: string[] | undefined;
}

const portTaken = /address (already )?in use|EADDRINUSE/i;

/** One of our servers: starts on its stored port or a free one, and then keeps that port. */
export class Server {
  readonly kind: ServerKind;
  readonly #instance: Instance;
  readonly #process: ManagedProcess;
  #ports: number[] = [];

  constructor(kind: ServerKind, instance: Instance) {
    this.kind = kind;
    this.#instance = instance;
    const definition = {
      name: kind.name,
      logFile: join(instance.directory, 'logs', `${kind.name}.log`),
      command: () => kind.command(this.#ports),
      ready: () => kind.ready(this.#ports),
      readyWithinMs: 60_000,
      stopSignal: kind.stopSignal,
      graceMs: kind.graceMs,
      spawned: (process: ProcessIdentity) => updateServer(instance.directory, kind.name, { process }),
    };
    this.#process = new ManagedProcess(definition, instance.log, !instance.ephemeral);
  }

  get name(): ServerName {
    return this.kind.name;
  }
  get pid(): number | undefined {
    return this.#process.pid;
  }
  get ports(): number[] {
    return this.#ports;
  }

  /** First start: takes another port if an unrelated process has ours. */
  async start(): Promise<void> {
    let kept = readState(this.#instance.directory).servers[this.name]?.ports ?? [];
    for (let attempt = 1; ; attempt++) {
      const ports = [];
      for (const [i, preferred] of this.kind.preferredPorts.entries())
        ports.push(await freePort(kept[i], attempt === 1 ? preferred : undefined));
      this.#ports = ports;
      updateServer(this.#instance.directory, this.name, { ports });
      try {
        return await this.#startHere();
      } catch (error) {
        // Another process took the port between our check and the server's bind.
        if (attempt === 4 || !(error instanceof StartFailure) || !portTaken.test(error.output)) throw error;
        kept = [];
      }
    }
  }

  /** Stops the server if it runs, then starts it on the same port and data. */
  async restart(): Promise<void> {
    await this.#process.stop();
    await endOrphans(this.kind, this.#instance.directory);
    await this.#startHere();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
  kill(signal: NodeJS.Signals): Promise<void> {
    return this.#process.kill(signal);
  }
  signalNow(): void {
    this.#process.signalNow();
  }

  async #startHere(): Promise<void> {
    await this.kind.prepare(this.#ports);
    await this.#process.start();
  }
}

/**
 * Ends the processes that a killed starter has left running in this server's directory. Only those proven to be ours: the recorded process,
 * or the right program with our directory as working directory.
 */
export async function endOrphans(kind: ServerKind, directory: string): Promise<void> {
  const recorded = readState(directory).servers[kind.name]?.process;
  const found = processesIn(realpathOr(kind.dataDirectory), kind.proof);
  const orphans = recorded && isAlive(recorded) && !found.some((each) => each.pid === recorded.pid) ? [recorded, ...found] : found;
  if (orphans.length === 0) return;
  await (kind.endOrphans?.(orphans) ?? endProcesses(orphans, kind.stopSignal, kind.graceMs));
}

function realpathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // does not exist yet, so no process works in it
  }
}
