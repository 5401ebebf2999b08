import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/** What the starter must remember of a server: where it listens, how to get in, and which process it was. */
export interface ServerState {
  /** Ports on 127.0.0.1, kept from start to start while they are free. */
  ports?: number[];
  password?: string;
  process?: ProcessIdentity;
}

/** The private memory of one instance (file `state.json`, mode 0600, since it holds passwords). */
export interface LocalState {
  /** A throw-away instance (tests): may be removed whole once nobody runs it. */
  ephemeral?: boolean;
  /** Names the PostgreSQL cluster; whatever belongs to its data (demo data, secrets that sealed something) is tied to this. */
  cluster?: string;
  /** Where PostgreSQL's data is, when not under the instance's own directory (see postgres.ts). */
  postgresHome?: string;
  servers: Record<string, ServerState>;
  secrets: Record<string, string>;
  /** Cluster that the demo data has been written into. */
  demoIn?: string;
  demoSignIns?: { email: string; password: string; role: string }[];
  buildHash?: string;
  children: Record<string, ProcessIdentity>;
}

/** Reads the state; an absent or damaged file is an empty state (`damaged` says why), for the starter must be able to begin again. */
export function readState(directory: string): LocalState & { damaged?: string } {
  const empty: LocalState = { servers: {}, secrets: {}, children: {} };
  try {
    return { ...empty, ...(JSON.parse(readFileSync(stateFile(directory), 'utf8')) as Partial<LocalState>) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? empty : { ...empty, damaged: (error as Error).message };
  }
}

/** Changes the state and writes it at once, by a rename, so that a crash leaves the old or the new file and never half of one. */
export function updateState(directory: string, change: (state: LocalState) => void): LocalState {
  const { damaged: _, ...state } = readState(directory);
  change(state);
  mkdirSync(directory, { recursive: true });
  const next = `${stateFile(directory)}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  chmodSync(next, 0o600);
  renameSync(next, stateFile(directory));
  return state;
}

/** Remembers what changed about one server. */
export function updateServer(directory: string, name: string, change: Partial<ServerState>): void {
  updateState(directory, (state) => {
    state.servers[name] = { ...state.servers[name], ...change };
  });
}

function stateFile(directory: string): string {
  return join(directory, 'state.json');
}
