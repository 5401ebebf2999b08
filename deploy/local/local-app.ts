import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InfrastructureEnv } from './infrastructure.ts';
import { localDirectory, repository } from './local-directory.ts';
import { projectNode } from './mailbox.ts';
import { ManagedProcess } from './managed-process.ts';
import { freePort } from './ports.ts';
import { endProcesses, isAlive, type ProcessIdentity } from './process-identity.ts';
import { productProcess } from './product-process.ts';
import { mustRun } from './run.ts';
import { readState, updateState } from './state.ts';
import { taskToolEnv, taskToolProcess } from './task-tool.ts';
import { webhookSinkEnv, webhookSinkProcess } from './webhook-sink.ts';

const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'] as const;
/** `tandem`: all services and the gateway in one process. */
export type ProcessName = (typeof services)[number] | 'gateway' | 'tandem' | 'task-tool' | 'webhook-sink';
const firstPort = 4001;
const firstMailPort = 2525;
const firstTaskToolPort = 4100;
const firstWebhookSinkPort = 4545;
/** File in the directory with the addresses of databases and servers, as JSON. */
export const addressesFile = 'addresses.json';

/** The product's own processes: five services and the gateway, plus the local task tool unless CLICKUP_API_URL names another. */
export class LocalApp {
  readonly #directory: string;
  readonly #log: (line: string) => void;
  #services: ManagedProcess[] = [];
  #gateway: ManagedProcess | undefined;
  #taskTool: ManagedProcess | undefined;
  #webhookSink: ManagedProcess | undefined;
  #standIns: Promise<void>[] | undefined;
  /** All environment variables of the processes and commands. */
  env: Record<string, string> = {};
  publicUrl = '';
  /** The SMTP port for incoming email, on 127.0.0.1. */
  mailPort = 0;
  /** The local task tool's port; undefined if CLICKUP_API_URL names another tool. */
  taskToolPort: number | undefined;
  /** The webhook sink's port; undefined without a sink. */
  webhookSinkPort: number | undefined;

  readonly #hasWebhookSink: boolean;
  readonly #isOneProcess: boolean;

  constructor(directory: string, log: (line: string) => void, { webhookSink = false, oneProcess = false } = {}) {
    this.#directory = directory;
    this.#log = log;
    this.#hasWebhookSink = webhookSink;
    this.#isOneProcess = oneProcess;
  }

  /** Sets secrets (stored across starts), ports and addresses. Variables that are already set take precedence. */
  async configure(infrastructure: InfrastructureEnv): Promise<void> {
    const secrets = this.#secrets();
    const ports = await this.#ports();
    const wanted = process.env.PORT ? Number(process.env.PORT) : 3000;
    const port = await freePort(wanted, Number(readState(this.#directory).secrets.PORT) || undefined, 3001, 3002, 3003);
    if (port !== wanted) this.#log(`  port ${wanted} is taken: using ${port}`);
    const { secrets: kept } = readState(this.#directory);
    this.mailPort = await freePort(Number(process.env.MAIL_IN_PORT ?? kept.MAIL_IN_PORT) || firstMailPort);
    if (!process.env.CLICKUP_API_URL) this.taskToolPort = await freePort(Number(kept.TASK_TOOL_PORT) || firstTaskToolPort);
    if (this.#hasWebhookSink) this.webhookSinkPort = await freePort(Number(kept.WEBHOOK_SINK_PORT) || firstWebhookSinkPort);
    const chosen = {
      PORT: String(port),
      MAIL_IN_PORT: String(this.mailPort),
      TASK_TOOL_PORT: String(this.taskToolPort ?? ''),
      WEBHOOK_SINK_PORT: String(this.webhookSinkPort ?? ''),
    };
    updateState(this.#directory, (state) => void Object.assign(state.secrets, chosen));
    this.publicUrl = `http://localhost:${port}`;
    this.env = {
      NODE_ENV: 'production',
      PUBLIC_URL: this.publicUrl,
      SHUTDOWN_NOTICE_MS: '0', // no load balancer to notify
      SHUTDOWN_GRACE_MS: '3000',
      WEB_ROOT: join(repository, 'web', 'dist'),
      // Compiled code of the modules that a process loads: saves a fifth of the CPU time until it is ready.
      NODE_COMPILE_CACHE: join(localDirectory(), 'compile-cache'),
      // As in the Dockerfile, where they are explained.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '32768',
      ATTACHMENTS_DIR: join(this.#directory, 'attachments'),
      ...secrets,
      ...definedOnly(process.env),
      ...infrastructure,
      HOST: '127.0.0.1',
      PORT: String(port),
      MAIL_IN_PORT: String(this.mailPort),
      ...(this.taskToolPort ? taskToolEnv(this.taskToolPort) : {}),
    };
    if (this.webhookSinkPort) Object.assign(this.env, webhookSinkEnv(this.webhookSinkPort, this.env));
    for (const [i, name] of services.entries()) {
      this.env[`${name.toUpperCase()}_PORT`] = String(ports[i]);
      this.env[`${name.toUpperCase()}_URL`] = `http://127.0.0.1:${ports[i]}`;
    }
  }

  /** Ends services that a killed starter has left running. */
  async endOrphans(): Promise<number> {
    const orphans = Object.values(readState(this.#directory).children).filter(isAlive);
    await endProcesses(orphans, 'SIGTERM', 4000);
    return orphans.length;
  }

  /** Creates databases and roles, migrates them, and adds the database URLs to `env`. Returns the names of the applied migrations. */
  async migrate(signal: AbortSignal): Promise<string[]> {
    const { urls, applied } = JSON.parse(await this.command('migrate', signal)) as { urls: Record<string, string>; applied: string[] };
    Object.assign(this.env, urls);
    // For commands that are run manually while Tandem runs (command.ts). Contains passwords.
    const names = ['NATS_URL', 'REDIS_URL', 'SMTP_URL', 'PG_ADMIN_URL', 'DATABASE_OWNER_PASSWORD', 'DATABASE_SERVICE_PASSWORD'];
    const others = ['ENCRYPTION_KEYS', 'CONTEXT_SECRET', 'SESSION_SECRET', 'ATTACHMENTS_DIR', 'PUBLIC_URL', 'MAIL_IN_PORT'];
    const values = [...names, ...others].map((name) => [name, this.env[name]] as const);
    writeFileSync(join(this.#directory, addressesFile), JSON.stringify({ ...Object.fromEntries(values), ...urls }), { mode: 0o600 });
    return applied;
  }

  /** Runs a bundled command (deploy/dist/<name>.js) with the environment of the services and returns its output. */
  command(name: string, signal: AbortSignal, ...args: string[]): Promise<string> {
    const logFile = join(this.#directory, 'logs', `${name}.log`);
    return mustRun(name, projectNode(), ['--enable-source-maps', join(repository, 'deploy', 'dist', `${name}.js`), ...args], {
      cwd: repository,
      env: this.env,
      logFile,
      isResultSecret: true,
      signal,
    });
  }

  /**
   * Begins to start the processes that stand in for other companies' servers, so that they do not take processor time from the product later.
   * `start` waits for them.
   */
  startStandIns(): void {
    this.#standIns ??= [this.#startTaskTool(), this.#startWebhookSink()].filter((each) => each !== undefined);
    for (const each of this.#standIns) each.catch(() => undefined); // reported by `start`
  }

  /** Starts all at once; returns when all are ready. */
  async start(): Promise<void> {
    this.startStandIns();
    const ports = services.map((name) => this.env[`${name.toUpperCase()}_PORT`]!);
    if (this.#isOneProcess) {
      this.#gateway = this.#process('tandem', join(repository, 'deploy', 'dist', 'one-process'), [...ports, this.env.PORT!]);
    } else {
      this.#services = services.map((name, i) => this.#process(name, join(repository, 'services', name, 'dist'), [ports[i]!]));
      this.#gateway = this.#process('gateway', join(repository, 'gateway', 'dist'), [this.env.PORT!]);
    }
    const started = [...this.#services, this.#gateway].map((each) => each.start());
    const results = await Promise.allSettled([...started, ...(this.#standIns ?? [])]);
    this.#standIns = undefined;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  #startTaskTool(): Promise<void> | undefined {
    if (!this.taskToolPort) return undefined;
    const definition = taskToolProcess(this.#directory, this.taskToolPort, (identity) => this.#remember('task-tool', identity));
    this.#taskTool = new ManagedProcess(definition, this.#log, true);
    return this.#taskTool.start();
  }

  #startWebhookSink(): Promise<void> | undefined {
    if (!this.webhookSinkPort) return undefined;
    const definition = webhookSinkProcess(this.#directory, this.webhookSinkPort, (identity) => this.#remember('webhook-sink', identity));
    this.#webhookSink = new ManagedProcess(definition, this.#log, true);
    return this.#webhookSink.start();
  }

  /** Stops the gateway first, so that the services can still serve its running requests. */
  async stop(): Promise<void> {
    await this.#gateway?.stop();
    const others = this.#all().filter((each) => each !== this.#gateway);
    await Promise.all(others.map((each) => each.stop()));
  }

  /** The current processes. */
  get processes(): { name: ProcessName; pid: number | undefined }[] {
    return this.#all().map(({ name, pid }) => ({ name: name as ProcessName, pid }));
  }

  /** Injects a fault: the process is restarted automatically, as after any crash. Returns once it has exited, if the signal is deadly. */
  async kill(name: ProcessName, signal: NodeJS.Signals): Promise<void> {
    const victim = this.#all().find((each) => each.name === name);
    if (!victim) throw new Error(`${name} is not running`);
    await victim.kill(signal);
  }

  /** Resolves once every process is ready; throws after a minute. */
  async untilReady(): Promise<void> {
    for (const deadline = Date.now() + 60_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
      const states = await Promise.allSettled(this.#all().map((each) => each.definition.ready()));
      const waiting = states.find((state) => state.status === 'rejected');
      if (!waiting) return;
      if (Date.now() > deadline) throw waiting.reason;
    }
  }

  #all(): ManagedProcess[] {
    return [...this.#services, this.#gateway, this.#taskTool, this.#webhookSink].filter((each) => each !== undefined);
  }

  /** Kills all processes immediately. */
  killNow(): void {
    for (const each of this.#all()) void each.kill('SIGKILL').catch(() => {}); // not running: nothing to kill
  }

  /** A process from its bundle, which listens on these ports. */
  #process(name: string, bundle: string, ports: string[]): ManagedProcess {
    const spawned = (identity: ProcessIdentity) => this.#remember(name, identity);
    const definition = productProcess({ name, bundle, ports, directory: this.#directory, env: () => this.env, spawned });
    return new ManagedProcess(definition, this.#log, true);
  }

  #remember(name: string, identity: ProcessIdentity): void {
    updateState(this.#directory, (state) => void (state.children[name] = identity));
  }

  #secrets(): Record<string, string> {
    const random = () => randomBytes(32).toString('base64url');
    const state = updateState(this.#directory, ({ secrets }) => {
      secrets.CONTEXT_SECRET ??= random();
      secrets.SESSION_SECRET ??= random();
      secrets.LINK_SECRET ??= random();
      secrets.ENCRYPTION_KEYS ??= `k1:${randomBytes(32).toString('base64')}`;
      secrets.DATABASE_OWNER_PASSWORD ??= random();
      secrets.DATABASE_SERVICE_PASSWORD ??= random();
    });
    const { PORT: _, MAIL_IN_PORT: _mail, TASK_TOOL_PORT: _tool, WEBHOOK_SINK_PORT: _sink, ...secrets } = state.secrets;
    return secrets;
  }

  async #ports(): Promise<number[]> {
    const kept = (readState(this.#directory).servers.services?.ports ?? []) as (number | undefined)[];
    const ports: number[] = [];
    for (const [i] of services.entries()) {
      let port = await freePort(kept[i], firstPort + i);
      while (ports.includes(port)) port = await freePort();
      ports.push(port);
    }
    updateState(this.#directory, (state) => void (state.servers.services = { ports }));
    return ports;
  }
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
