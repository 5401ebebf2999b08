import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Databases } from '../chaos/databases.ts';
import { startInfrastructure, type Infrastructure } from '../local/infrastructure.ts';
import { LocalApp } from '../local/local-app.ts';
import { repository } from '../local/local-directory.ts';
import { projectNode } from '../local/mailbox.ts';
import { ManagedProcess } from '../local/managed-process.ts';
import { freePort } from '../local/ports.ts';
import type { ProcessIdentity } from '../local/process-identity.ts';
import { productProcess } from '../local/product-process.ts';
import { mustRun } from '../local/run.ts';
import { updateState } from '../local/state.ts';
import { demoToken, taskToolProcess } from '../local/task-tool.ts';
import { Balancer } from './balancer.ts';

const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'];
const parts = [...services, 'gateway'];

/** Replicas of the same program. */
export interface Kind {
  name: string;
  /** The folder of the build, and the folder with main.js in it. */
  folder: string;
  bundle: string;
  /** The parts of the product that run in it. Each has a port of its own and is a backend of the balancer. */
  parts: string[];
  replicas: number;
}

/** As on Kubernetes: three gateways and two replicas of each service. */
export const separateProcesses: Kind[] = [
  ...services.map((name) => ({ name, folder: `services/${name}`, bundle: 'dist', parts: [name], replicas: 2 })),
  { name: 'gateway', folder: 'gateway', bundle: 'dist', parts: ['gateway'], replicas: 3 },
];
/** One server with all parts in one process, and a second one during rollouts: the same faults with a sixth of the processes. */
export const oneServer: Kind[] = [{ name: 'server', folder: 'deploy', bundle: 'dist/one-process', parts, replicas: 1 }];

/** The code and the settings of a process. */
export interface Generation {
  root: string;
  env: Record<string, string>;
}

export interface Replica {
  name: string;
  kind: Kind;
  generation: Generation;
  process: ManagedProcess;
  /** The port of each part, and for incoming email. */
  ports: Record<string, number>;
}

export interface ClusterOptions {
  directory: string;
  kinds: Kind[];
  /** Added to the common settings. */
  env?: Record<string, string>;
  /** The folder of the code that the processes start with. */
  root?: string;
  signal: AbortSignal;
  ephemeral?: boolean;
}

/** The product with several replicas of each process behind HAProxy, on throw-away servers, with the demo organization. */
export class Cluster {
  readonly kinds: Kind[];
  replicas: Replica[] = [];
  #generation: Generation = { root: repository, env: {} };
  readonly directory: string;
  readonly #signal: AbortSignal;
  readonly #app: LocalApp;
  #infrastructure: Infrastructure | undefined;
  #balancer: Balancer | undefined;
  #taskTool: ManagedProcess | undefined;
  readonly #databases = new Databases(() => this.#infrastructure!.env.PG_ADMIN_URL);
  readonly #ports = new Map<string, Record<string, number>>();

  private constructor({ directory, kinds, signal }: ClusterOptions) {
    this.kinds = kinds;
    this.directory = directory;
    this.#signal = signal;
    this.#app = new LocalApp(directory, () => undefined);
  }

  /** Leaves nothing running if it throws. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    try {
      await cluster.#start(options);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  async #start({ env = {}, root = repository, ephemeral = true }: ClusterOptions): Promise<void> {
    this.#infrastructure = await startInfrastructure({ directory: this.directory, ephemeral, addresses: {}, log: () => undefined });
    updateState(this.directory, (state) => void (state.ephemeral = true));
    await this.#app.configure(this.#infrastructure.env);
    Object.assign(this.#app.env, {
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SUBMISSIONS_PER_HOUR: '1000000',
      RATE_LIMIT_API_PER_MINUTE: '1000000',
      CHALLENGE_ABOVE_PER_10_MINUTES: '1000000',
      ...env,
    });
    await this.#startBalancer();
    this.#generation = { root, env: this.#app.env };
    Object.assign(this.#app.env, (JSON.parse(await this.command('migrate')) as { urls: Record<string, string> }).urls);
    const remember = (identity: ProcessIdentity) => this.#remember('task-tool', identity);
    this.#taskTool = new ManagedProcess(taskToolProcess(this.directory, this.#app.taskToolPort!, remember), () => undefined, true);
    await Promise.all([
      this.#taskTool.start(),
      ...this.kinds.flatMap((kind) => Array.from({ length: kind.replicas }, () => this.#startReplica(kind))),
    ]);
    await this.command('demo');
  }

  /** One more server per backend than replicas: a new process is ready before the old one stops. */
  async #startBalancer(): Promise<void> {
    const backends = parts.map((name) => ({ name, port: Number(this.#app.env[portVariable(name)]), servers: [] as Server[] }));
    for (const kind of this.kinds)
      for (let slot = 0; slot <= kind.replicas; slot++) {
        const name = `${kind.name}-${slot}`;
        const ports: Record<string, number> = { mail: await listenPort() };
        for (const part of kind.parts) ports[part] = await listenPort();
        this.#ports.set(name, ports);
        for (const part of kind.parts) backends.find((each) => each.name === part)!.servers.push({ name, port: ports[part]! });
      }
    this.#balancer = await Balancer.start(this.directory, backends, (identity) => this.#remember('haproxy', identity));
  }

  /** The address of the balancer in front of the gateways. */
  get origin(): string {
    return this.#app.publicUrl;
  }
  /** The settings that replicas are started with. */
  get env(): Record<string, string> {
    return this.#generation.env;
  }
  get mailboxUrl(): string {
    return this.#infrastructure!.env.MAILBOX_URL;
  }

  /** A port for incoming email. */
  get mailPort(): number {
    return this.replicas.find(({ kind }) => kind.parts.includes('tickets'))!.ports.mail!;
  }
  readonly taskToolToken = demoToken;

  /** Rows of a service's database, bypassing all policies. */
  rows<Row>(service: string, query: string, values: unknown[] = []): Promise<Row[]> {
    return this.#databases.rows<Row>(service, query, values);
  }

  /** Runs a command of the operator in the current generation; returns its output. */
  command(name: string, ...args: string[]): Promise<string> {
    const { root, env } = this.#generation;
    const file = join(root, 'deploy', 'dist', `${name}.js`);
    const logFile = join(this.directory, 'logs', `${name}.log`);
    return mustRun(name, projectNode(), [file, ...args], { cwd: root, env, logFile, isResultSecret: true, signal: this.#signal });
  }

  /** The code and settings of commands and of processes that are started from now on. */
  deploy({ root = this.#generation.root, env = {} }: Partial<Generation>): void {
    this.#generation = { root, env: { ...this.#generation.env, ...env } };
  }

  /** Replaces all replicas with the current generation, one at a time: the new process gets requests before the old one is stopped. */
  async roll({ whileBothRun }: { whileBothRun: () => Promise<void> }): Promise<void> {
    for (const old of [...this.replicas]) {
      this.#signal.throwIfAborted();
      await this.#startReplica(old.kind);
      await whileBothRun();
      await this.#balancer!.setState(old.kind.parts, old.name, 'drain');
      await old.process.stop();
      this.replicas = this.replicas.filter((each) => each !== old);
      await this.#balancer!.setState(old.kind.parts, old.name, 'ready');
    }
  }

  /** Starts one more replica of this kind than before. */
  async scaleUp(kind: Kind): Promise<void> {
    await this.#startReplica(kind);
  }

  /** Kills a process. It is restarted automatically. */
  async kill(replica: Replica): Promise<void> {
    await replica.process.kill('SIGKILL');
  }

  /** Resolves once a killed process gets requests again. */
  async untilUp({ process, kind, name }: Replica): Promise<void> {
    while (
      !(await process.definition.ready().then(
        () => true,
        () => false,
      ))
    )
      await new Promise((resolve) => setTimeout(resolve, 50));
    await this.#balancer!.untilUp(kind.parts, name);
  }

  async stop(): Promise<void> {
    await this.#databases.disconnect();
    await this.#balancer?.stop();
    await Promise.all([...this.replicas.map(({ process }) => process.stop()), this.#taskTool?.stop()]);
    await this.#infrastructure?.stop();
  }

  async #startReplica(kind: Kind): Promise<void> {
    const used = new Set(this.replicas.map(({ name }) => name));
    const name = [...this.#ports.keys()].find((each) => each.startsWith(`${kind.name}-`) && !used.has(each))!;
    const ports = this.#ports.get(name)!;
    const { root } = this.#generation;
    const env: Record<string, string> = { ...this.#generation.env, MAIL_IN_PORT: String(ports.mail) };
    for (const part of kind.parts) env[portVariable(part)] = String(ports[part]);
    const definition = productProcess({
      name,
      bundle: join(root, kind.folder, kind.bundle),
      ports: kind.parts.map((part) => String(ports[part])),
      directory: this.directory,
      env: () => env,
      spawned: (identity) => this.#remember(name, identity),
    });
    const replica = { name, kind, generation: this.#generation, ports, process: new ManagedProcess(definition, () => undefined, true) };
    this.replicas.push(replica);
    await replica.process.start();
    await this.#balancer!.untilUp(kind.parts, name);
  }

  /** If this process crashes, the next run stops the child process. */
  #remember(name: string, identity: ProcessIdentity): void {
    updateState(this.directory, (state) => void (state.children[name] = identity));
  }
}

interface Server {
  name: string;
  port: number;
}

/**
 * A port that is free until its process starts: below the range from which the system takes ports of outgoing connections, such as those of
 * HAProxy's checks.
 */
const listenPort = () => freePort(...Array.from({ length: 10 }, () => randomInt(12_000, 32_000)));

const portVariable = (part: string) => (part === 'gateway' ? 'PORT' : `${part.toUpperCase()}_PORT`);
