import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { LocalApp, type ProcessName } from '../local/local-app.ts';
import { startInfrastructure, type Infrastructure, type InfrastructureOptions, type ServerName } from '../local/infrastructure.ts';
import { exchange } from '../local/wire.ts';
import { Databases } from './databases.ts';

export const services: ProcessName[] = ['tickets', 'notifications', 'identity', 'analytics', 'integrations', 'gateway'];
export const servers: ServerName[] = ['nats', 'redis', 'postgres'];
export type Victim = ProcessName | ServerName;
const isServer = (victim: Victim): victim is ServerName => victim === 'mailbox' || (servers as Victim[]).includes(victim);

/** A crash between the mail server's 250 and our update may repeat an email: with the same Message-ID, and at most one per worker. */
const mayRepeat = new Set<Victim>(['notifications', 'postgres', 'mailbox']);
const workers = 10;
export const maxRepeats = (victim: Victim): number => (mayRepeat.has(victim) ? workers : 0);

/** Number of requests before and after a fault that must be accepted, however slow the machine is. */
const minAccepted = 8;
const paceMs = 100;
/** A slower pace for a long outage on a slow machine, because some requests are limited to a hundred. */
const slowPace = { from: 60, ms: 500 };
const outageMs = 2_000;
/** Two minutes: if no requests are accepted for this long, the system will not recover. */
const maxRequests = 1_200;

interface Mail {
  message_id: string;
  to: string[];
  links: string[];
}

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** All production processes on throw-away servers, with the demo organization; tests kill single ones. */
export class ChaosApp {
  readonly #databases = new Databases(() => this.infrastructure.env.PG_ADMIN_URL);

  private constructor(
    private readonly infrastructure: Infrastructure,
    private readonly app: LocalApp,
    /** The directory of the servers' data and the logs. */
    readonly directory: string,
  ) {}

  /**
   * `env` is added to the common settings; with a CLICKUP_API_URL, that task tool is used and none is started. `oneProcess` is for tests that
   * kill no single service: its processes need half of the CPU time. `prepare` is called with the directory before the servers start, and
   * `through` returns the address at which the product reaches PostgreSQL.
   */
  static async start(
    env: Record<string, string> = {},
    {
      oneProcess = false,
      postgres,
      prepare,
      through,
    }: {
      oneProcess?: boolean;
      postgres?: (directory: string) => NonNullable<InfrastructureOptions['postgres']>;
      prepare?: (directory: string) => void;
      through?: (address: string) => Promise<string>;
    } = {},
  ): Promise<ChaosApp> {
    // Listed among the instances that the next run of the tests removes if this one is killed.
    const directory = join(tmpdir(), 'tandem-tests', `chaos-${randomBytes(4).toString('hex')}`);
    prepare?.(directory);
    const infrastructure = await startInfrastructure({
      directory,
      ephemeral: true,
      log: () => undefined,
      ...(postgres ? { postgres: postgres(directory) } : {}),
    });
    const app = new LocalApp(directory, () => undefined, { oneProcess });
    if (through) infrastructure.env.PG_ADMIN_URL = await through(infrastructure.env.PG_ADMIN_URL);
    await app.configure(infrastructure.env);
    Object.assign(app.env, {
      LOG_LEVEL: 'warn',
      SWEEP_MS: '1000',
      RATE_LIMIT_SUBMISSIONS_PER_HOUR: '1000000',
      RATE_LIMIT_API_PER_MINUTE: '1000000',
      // A scenario opens more tickets in ten minutes than people would.
      CHALLENGE_ABOVE_PER_10_MINUTES: '1000000',
      ...env,
    });
    if (env.CLICKUP_API_URL) app.taskToolPort = undefined;
    const chaos = new ChaosApp(infrastructure, app, directory);
    try {
      await app.migrate(new AbortController().signal);
      await app.start();
      await app.command('demo', new AbortController().signal);
    } catch (error) {
      // Servers that keep running would keep Jest from exiting.
      await chaos.stop();
      throw error;
    }
    return chaos;
  }

  async stop(): Promise<void> {
    await this.stopProcesses();
    await this.infrastructure.stop();
  }

  /** Runs a command of an operator; returns its output. */
  command(name: string, ...args: string[]): Promise<string> {
    return this.app.command(name, new AbortController().signal, ...args);
  }

  /** The environment of processes and commands. */
  get env(): Record<string, string> {
    return this.app.env;
  }

  /** Closes the connections of `rows`, too: commands may need a database without connections. */
  async stopProcesses(): Promise<void> {
    await this.disconnect();
    await this.app.stop();
  }

  /** Closes the connections of `rows`; the next call opens new ones. */
  disconnect(): Promise<void> {
    return this.#databases.disconnect();
  }

  startProcesses(): Promise<void> {
    return this.app.start();
  }

  /** Calls `change` with the folder of the event stream while NATS is down. */
  async changeStream(change: (folder: string) => void): Promise<void> {
    await this.infrastructure.kill('nats');
    change(join(this.directory, 'nats', 'jetstream'));
    await this.infrastructure.restart('nats');
  }

  get api(): string {
    return `${this.publicUrl}/api/v1`;
  }
  get publicUrl(): string {
    return this.app.publicUrl;
  }

  /** Simulates that Redis restarted without its data. */
  async flushRedis(): Promise<void> {
    const url = new URL(this.app.env.REDIS_URL!);
    const answer = await exchange(url, `AUTH ${url.password}\r\nFLUSHALL\r\n`, (text) => text.split('\r\n').length >= 3, 5_000);
    expect(answer).toBe('+OK\r\n+OK\r\n');
  }

  /** Sends a creating request; returns undefined if it was not accepted. During an outage the response must be a valid problem. */
  create<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T | undefined> {
    return this.send('POST', path, body, headers);
  }

  async send<T>(method: Method, path: string, body: object | undefined, headers: Record<string, string> = {}): Promise<T | undefined> {
    try {
      const answer = await this.#fetch(method, path, body, headers);
      if (answer.ok) return ((await answer.json()) as { data: T }).data;
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, expect.stringContaining('application/problem+json')]);
      return undefined;
    } catch (error) {
      // The connection failed with the process. Checked by name, because fetch's TypeError is not the one of Jest's realm.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return undefined;
      throw error;
    }
  }

  /** Like `create`, for a request that must be accepted: otherwise throws with the response. */
  mustCreate<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> {
    return this.mustSend('POST', path, body, headers);
  }

  async mustSend<T>(method: Method, path: string, body: object | undefined, headers: Record<string, string> = {}): Promise<T> {
    const answer = await this.#fetch(method, path, body, headers);
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${this.#explained(await answer.text())}`);
    return ((await answer.json()) as { data: T }).data;
  }

  /** A problem with the log entries of its request, which contain the cause. */
  #explained(problem: string): string {
    const [id] = /(?<="request_id":")[^"]+/.exec(problem) ?? [];
    if (id === undefined) return problem;
    const logs = join(this.directory, 'logs');
    const entries = readdirSync(logs).flatMap((name) => readFileSync(join(logs, name), 'utf8').split('\n'));
    return [problem, ...entries.filter((entry) => entry.includes(id))].join('\n');
  }

  #fetch(method: Method, path: string, body: object | undefined, headers: Record<string, string>): Promise<Response> {
    return fetch(this.api + path, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    });
  }

  /**
   * Kills the victim with SIGKILL while `act` runs ten times a second, waits until all processes are ready and requests are accepted as
   * before, and returns the results of the accepted ones.
   */
  async whileKilling<T>(victim: Victim, act: (i: number) => Promise<T | undefined>): Promise<T[]> {
    const accepted: T[] = [];
    const pending: Promise<void>[] = [];
    const keep = (answer: T | undefined) => void (answer !== undefined && accepted.push(answer));
    let revived: Promise<void> | undefined;
    let goal = Infinity;
    for (let i = 0; accepted.length < goal && i < maxRequests; i++) {
      const work = act(i).then(keep);
      work.catch(() => (goal = 0)); // rethrown below with the others
      pending.push(work);
      if (!revived && accepted.length >= minAccepted) {
        revived = this.killAndRestart(victim);
        revived.then(
          () => (goal = accepted.length + minAccepted),
          () => (goal = 0),
        );
      }
      await pause(i < slowPace.from ? paceMs : slowPace.ms);
    }
    await Promise.all([revived, ...pending]);
    expect(accepted.length).toBeGreaterThanOrEqual(goal);
    return accepted;
  }

  /** Resolves once all processes are ready. */
  untilReady(): Promise<void> {
    return this.app.untilReady();
  }

  /** The servers, to inject faults that this class has no method for. */
  get servers(): Pick<Infrastructure, 'kill' | 'restart' | 'processes' | 'env'> {
    return this.infrastructure;
  }

  /** The processes that an installation runs, without those that stand in for the outside world. */
  get productProcesses(): { name: string; pid: number }[] {
    const standIns = new Set(['mailbox', 'task-tool']);
    return [...this.app.processes, ...this.infrastructure.processes]
      .filter(({ name }) => !standIns.has(name))
      .map(({ name, pid }) => ({ name, pid: pid! }));
  }

  /** Calls `whileDown` while the victim is dead. */
  async killAndRestart(victim: Victim, whileDown: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    if (isServer(victim)) {
      await this.infrastructure.kill(victim, 'SIGKILL');
      await whileDown();
      await pause(outageMs);
      await this.infrastructure.restart(victim);
    } else {
      await this.app.kill(victim, 'SIGKILL');
      if (victim === 'notifications') await this.endClaims(0);
      await whileDown();
    }
    await this.app.untilReady();
    if (victim === 'postgres') await this.endClaims(outageMs / 1_000);
  }

  /** Calls `work` while a server is frozen: its connections stay open, but nothing answers. Resolves once all processes are ready. */
  async whileFrozen(server: ServerName, work: () => Promise<void>): Promise<void> {
    await this.infrastructure.kill(server, 'SIGSTOP');
    try {
      await work();
    } finally {
      await this.infrastructure.kill(server, 'SIGCONT');
    }
    await this.app.untilReady();
  }

  /**
   * Expires the claims on emails that are at least this old: otherwise no other worker would take over an email of a killed worker, or one
   * whose result could not be stored, for 45 seconds. Rows that a transaction of the product has locked stay: waiting for them could deadlock.
   */
  async endClaims(madeSecondsAgo: number): Promise<void> {
    for (const table of ['emails', 'account_emails']) {
      await this.rows(
        'notifications',
        `with old as (
          select id from ${table} where state = 'sending' and claimed_until <= now() + make_interval(secs => 45 - $1::float8) for update skip locked)
        update ${table} set claimed_until = now() where id in (select id from old)`,
        [madeSecondsAgo],
      );
    }
  }

  /** SMTP port and mail domain for incoming email. */
  get mailIn(): { port: number; domain: string } {
    return { port: this.app.mailPort, domain: this.app.env.MAIL_DOMAIN ?? 'tandem.localhost' };
  }

  /** The directory of uploaded files. */
  get files(): string {
    return this.app.env.ATTACHMENTS_DIR!;
  }

  /** A separate connection to a service's database that bypasses all policies; the caller closes it. */
  connect(service: string): Promise<pg.Client> {
    return this.#databases.connect(service);
  }

  /** Rows of a service's database, bypassing all policies. */
  rows<Row>(service: string, query: string, values: unknown[]): Promise<Row[]> {
    return this.#databases.rows<Row>(service, query, values);
  }

  /** The token of the link in the email to this address. */
  async mailedToken(to: string): Promise<string> {
    for (let rest = 480; rest > 0; rest--) {
      const link = (await this.mails()).filter((mail) => mail.to.includes(to)).flatMap(({ links }) => links)[0];
      if (link) return new URL(link).searchParams.get('token') ?? '';
      await pause(250);
    }
    throw new Error(`No mail came to ${to}`);
  }

  /** Checks that every address got an email, and never two different ones. */
  async expectOneMailEach(addresses: string[], victim: Victim): Promise<void> {
    const sent = await this.#untilMailed(addresses);
    expect(addresses.filter((email) => new Set(sent.get(email)).size !== 1)).toEqual([]);
    const repeats = addresses.reduce((sum, email) => sum + (sent.get(email)?.length ?? 0) - 1, 0);
    expect(repeats).toBeLessThanOrEqual(maxRepeats(victim));
  }

  /** Message-IDs by address, once every address has at least one email and none is pending. */
  async #untilMailed(addresses: string[]): Promise<Map<string, string[]>> {
    for (const deadline = Date.now() + 120_000; ; await pause(300)) {
      const unsent = await this.rows(
        'notifications',
        `select id from emails where state in ('pending', 'sending') and coalesce(due_at, now()) <= now()`,
        [],
      );
      const byAddress = new Map<string, string[]>();
      for (const mail of await this.mails()) for (const to of mail.to) byAddress.set(to, [...(byAddress.get(to) ?? []), mail.message_id]);
      const missing = addresses.filter((address) => !byAddress.has(address));
      if (missing.length + unsent.length === 0) return byAddress;
      if (Date.now() > deadline) throw new Error(`${missing.length} addresses have no mail, and ${unsent.length} mails are not sent`);
    }
  }

  /** All emails that have arrived in the mailbox. */
  async mails(): Promise<Mail[]> {
    return (await (await fetch(`${this.infrastructure.env.MAILBOX_URL}/api/messages?limit=100000`)).json()) as Mail[];
  }
}
