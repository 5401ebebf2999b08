/** The system under test: the built product as in production, on its own throw-away servers, and the floor on the same PostgreSQL. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../local/build.ts';
import { LocalApp } from '../local/local-app.ts';
import { removeAbandonedInstances, startInfrastructure, type Infrastructure } from '../local/infrastructure.ts';
import { localDirectory } from '../local/local-directory.ts';
import { directoryLock, tryLock } from '../local/lock.ts';
import { projectNode } from '../local/mailbox.ts';
import { readState, updateState } from '../local/state.ts';
import { step } from '../local/steps.ts';
import type { Process } from './processes.ts';
import { inDatabase, seed, sizeOf, usual, type Size } from './seed.ts';

/** Settings that turn off limits, logs and tracing, which would distort the figures. */
const benchEnv = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_API_PER_MINUTE: '1000000000',
  RATE_LIMIT_REST_API_PER_MINUTE: '1000000000',
  RATE_LIMIT_LOGIN_PER_ADDRESS: '1000000',
  RATE_LIMIT_SUBMISSIONS_PER_HOUR: '1000000',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
};

export class BenchSystem {
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly #isOneProcess: boolean;
  readonly #app: LocalApp;
  #infrastructure: Infrastructure | undefined;
  #floor: ChildProcess | undefined;
  floorOrigin = '';
  appStartMs = 0;

  private constructor(directory: string, signal: AbortSignal, oneProcess: boolean) {
    this.directory = directory;
    this.signal = signal;
    this.#isOneProcess = oneProcess;
    this.#app = new LocalApp(directory, () => undefined, { oneProcess });
  }

  /**
   * Builds if necessary, starts everything (with `env` in addition to the common variables) and writes the data. Leaves nothing running if
   * it throws.
   */
  static async start(
    signal: AbortSignal,
    size: Size = usual,
    env: Record<string, string> = {},
    { oneProcess = false } = {},
  ): Promise<BenchSystem> {
    const parent = join(localDirectory(), 'bench');
    mkdirSync(parent, { recursive: true });
    await removeLeftovers(parent);
    const system = new BenchSystem(join(parent, `run-${process.pid}`), signal, oneProcess);
    try {
      await system.#start(size, env);
      return system;
    } catch (error) {
      await system.stop();
      throw error;
    }
  }

  async #start(size: Size, env: Record<string, string>): Promise<void> {
    let hasBuilt = false;
    await step('build', async (setResult) => {
      hasBuilt = await build(localDirectory(), this.signal);
      if (!hasBuilt) setResult('nothing has changed');
    });
    await step('servers, databases', async () => {
      // Not `ephemeral`: a figure for a durable create must include waiting for the disk, as in production.
      this.#infrastructure = await startInfrastructure({
        directory: this.directory,
        ephemeral: false,
        addresses: {},
        log: () => undefined,
      });
      // Marked as ephemeral afterwards, so that the next run removes it if this one is killed.
      updateState(this.directory, (state) => void (state.ephemeral = true));
      await this.#app.configure(this.#infrastructure.env);
      Object.assign(this.#app.env, benchEnv, env);
      // If the suite configures a task tool, it starts its own.
      if (env.CLICKUP_API_URL) this.#app.taskToolPort = undefined;
      await this.#app.migrate(this.signal);
    });
    const many = sizeOf(size).toLocaleString('en');
    await step(`${many} tickets in ${size.organizations} organizations`, () => seed((database) => this.databaseUrl(database), size));
    await step('floor, services and gateway', async () => {
      await this.#startFloor();
      if (hasBuilt || this.#isOneProcess) {
        // The first start of a version has to compile its code, and only the others are measured. One suite starts the single process.
        await this.#app.start();
        await this.#app.stop();
      }
      const begun = Date.now();
      await this.#app.start();
      this.appStartMs = Date.now() - begun;
    });
    this.signal.throwIfAborted();
  }

  async stop(): Promise<void> {
    this.#floor?.kill('SIGTERM');
    await this.#app.stop();
    await this.#infrastructure?.stop();
    removeDirectory(this.directory);
  }

  get gatewayOrigin(): string {
    return `http://127.0.0.1:${this.env('PORT')}`;
  }
  get mailboxUrl(): string {
    return this.#infrastructure!.env.MAILBOX_URL;
  }

  /** An environment variable of the product's processes. */
  env(name: string): string {
    const value = this.#app.env[name];
    if (!value) throw new Error(`${name} is not set`);
    return value;
  }

  /** URL of a database as the administrator, who bypasses all policies. */
  databaseUrl(database: string): string {
    const url = new URL(this.#infrastructure!.env.PG_ADMIN_URL);
    url.pathname = `/${database}`;
    return url.href;
  }

  async query<Row>(database: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    return inDatabase(this.databaseUrl(database), async (client) => (await client.query(sql, values)).rows as Row[]);
  }

  /** All processes that work for requests of the product. The mail catcher and the sandbox of a task tool are not part of it. */
  get product(): Process[] {
    return living(
      [...this.#app.processes, ...this.#infrastructure!.processes].filter(({ name }) => name !== 'mailbox' && name !== 'task-tool'),
    );
  }
  get floor(): Process[] {
    return living([{ name: 'floor', pid: this.#floor?.pid }, ...this.#infrastructure!.processes.filter(({ name }) => name === 'postgres')]);
  }

  async #startFloor(): Promise<void> {
    const urls = { FLOOR_DATABASE_URL: this.databaseUrl('tandem_tickets'), FLOOR_SERVICE_URL: this.env('TICKETS_DATABASE_URL') };
    const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', ...urls };
    const floor = spawn(projectNode(), [join(import.meta.dirname, 'floor.ts')], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env });
    this.#floor = floor;
    const port = await new Promise<string>((resolve, reject) => {
      floor.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
      floor.once('exit', (code) => reject(new Error(`the floor exited (${code})`)));
    });
    this.floorOrigin = `http://127.0.0.1:${port}`;
  }
}

function living(processes: { name: string; pid: number | undefined }[]): Process[] {
  return processes.map(({ name, pid }) => {
    if (pid === undefined) throw new Error(`${name} is not running`);
    return { name, pid };
  });
}

/** Removes what a killed run has left: services first, then servers and data. Another active run is left alone. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of readdirSync(parent).filter((each) => each.startsWith('run-'))) {
    const directory = join(parent, name);
    const lock = await tryLock(directoryLock(directory));
    if (!lock) continue;
    await new LocalApp(directory, () => undefined).endOrphans();
    await lock.release();
  }
  await removeAbandonedInstances(parent);
}

/** Removes the instance's directory, and PostgreSQL's data if it is in another directory. */
export function removeDirectory(directory: string): void {
  if (!existsSync(directory)) return;
  const { postgresHome } = readState(directory);
  for (const each of new Set([directory, postgresHome ?? directory])) rmSync(each, { recursive: true, force: true });
}
