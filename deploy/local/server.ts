import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ManagedProcess, StartFailure, type Command } from './managed-process.ts';
import { freePort } from './ports.ts';
import { endProcesses, isAlive, processesIn, type ProcessIdentity, type Proof } from './process-identity.ts';
import { readState, updateServer } from './state.ts';

/** The servers of an instance. */
export type ServerName = 'postgres' | 'nats' | 'redis' | 'mailbox';

/** One kind of server: all that differs between them. */
export interface ServerKind {
  name: ServerName;
  /** Its private data directory, which is also its working directory: by that an orphan is recognized. */
  dataDirectory: string;
  proof: Proof;
  /** One entry per port it needs; undefined where any will do. */
  preferredPorts: (number | undefined)[];
  stopSignal: NodeJS.Signals;
  graceMs: number;
  /** Writes what the command needs (configuration, first data). Called before each start. */
  prepare(ports: number[]): void | Promise<void>;
  command(ports: number[]): Command;
  /** Resolves when the server answers and has proven that it is this very one, not a stranger on the same port. */
  ready(ports: number[]): Promise<void>;
  endOrphans?(orphans: ProcessIdentity[]): Promise<void>;
}

/** Where an instance keeps its things, and how it is run. */
export interface Instance {
  directory: string;
  ephemeral: boolean;
  log: (line: string) => void;
}

const portTaken = /address (already )?in use|EADDRINUSE/i;

/** A server of ours: started on its kept port or a free one, and on the same one ever after. */
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

  /** First start: takes another port when a stranger has ours. */
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
        // Between our look and the server's own bind somebody else was quicker.
        if (attempt === 4 || !(error instanceof StartFailure) || !portTaken.test(error.output)) throw error;
        kept = [];
      }
    }
  }

  /** Ends it if it runs, then starts it on the same port and data. */
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

/** Ends what an earlier starter, killed before it could, left running in this server's directory. Only what is proven ours: the recorded process, or the right program working in our directory. */
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
    return path; // not there yet: nobody works in it
  }
}
