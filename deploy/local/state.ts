import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/** The stored state of a server: ports, password and process. */
export interface ServerState {
  /** Ports on 127.0.0.1, reused at each start while they are free. */
  ports?: number[];
  password?: string;
  process?: ProcessIdentity;
}

/** The stored state of one instance (file `state.json`, mode 0600 because it contains passwords). */
export interface LocalState {
  /** A throw-away instance (tests): may be deleted once no process runs it. */
  ephemeral?: boolean;
  /** Identifies the PostgreSQL cluster; demo data and secrets that encrypted stored values depend on it. */
  cluster?: string;
  /** PostgreSQL's directory, if not below the instance's own directory (see postgres.ts). */
  postgresHome?: string;
  servers: Record<string, ServerState>;
  secrets: Record<string, string>;
  /** The cluster that contains the demo data. */
  demoIn?: string;
  /** The cluster that contains the demo's history. */
  demoHistoryIn?: string;
  demoSignIns?: { email: string; password: string; role: string }[];
  buildHash?: string;
  children: Record<string, ProcessIdentity>;
}

/** Reads the state; a missing or damaged file counts as an empty state (`damaged` has the reason), so that the starter can start over. */
export function readState(directory: string): LocalState & { damaged?: string } {
  const empty: LocalState = { servers: {}, secrets: {}, children: {} };
  try {
    return { ...empty, ...(JSON.parse(readFileSync(stateFile(directory), 'utf8')) as Partial<LocalState>) };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? empty : { ...empty, damaged: (error as Error).message };
  }
}

/**
 * Changes the state and writes it immediately with a rename, so that a crash leaves either the old or the new file, never a partial one.
 */
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

/** Stores changes to one server's state. */
export function updateServer(directory: string, name: string, change: Partial<ServerState>): void {
  updateState(directory, (state) => {
    state.servers[name] = { ...state.servers[name], ...change };
  });
}

function stateFile(directory: string): string {
  return join(directory, 'state.json');
}
