import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startInfrastructure, type Infrastructure, type InfrastructureEnv, type InfrastructureOptions } from '../infrastructure.ts';
import { projectNode } from '../mailbox.ts';
import { readState } from '../state.ts';

/** Directories and instances of one test file, all removed at its end. */
export class Instances {
  readonly lines: string[] = [];
  readonly #directories: string[] = [];
  readonly #running: Infrastructure[] = [];
  readonly #children: ChildProcess[] = [];

  directory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'tandem-starter-test-'));
    this.#directories.push(directory);
    return directory;
  }

  /** Starts an instance that keeps its data (unless the options differ) and ignores the environment. */
  async start(directory: string, options: Partial<InfrastructureOptions> = {}): Promise<Infrastructure> {
    const infrastructure = await startInfrastructure({
      directory,
      ephemeral: false,
      addresses: {},
      log: (line) => void this.lines.push(line),
      ...options,
    });
    this.#running.push(infrastructure);
    return infrastructure;
  }

  /** Starts one in a separate process, which a test may kill. */
  async startElsewhere(
    directory: string,
  ): Promise<{ child: ChildProcess; env: InfrastructureEnv; processes: { name: string; pid: number }[] }> {
    const program = join(import.meta.dirname, 'run-infrastructure.ts');
    const child = spawn(projectNode(), [program, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    this.#children.push(child);
    const line = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()).includes('\n') && resolve(text));
      child.once('exit', (code) => reject(new Error(`the starter ended (${code})`)));
    });
    return { child, ...(JSON.parse(line) as { env: InfrastructureEnv; processes: { name: string; pid: number }[] }) };
  }

  async cleanUp(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(this.#running.map((each) => each.stop()));
    for (const directory of this.#directories) {
      const { postgresHome } = readState(directory);
      for (const each of [directory, postgresHome ?? directory]) rmSync(each, { recursive: true, force: true });
    }
  }
}

/** Runs one query on PostgreSQL. */
export async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
