import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { House, type ProcessName } from '../local/house.ts';
import { startInfrastructure, type Infrastructure, type ServerName } from '../local/infrastructure.ts';

export const services: ProcessName[] = ['tickets', 'notifications', 'identity', 'analytics', 'integrations', 'gateway'];
export const servers: ServerName[] = ['nats', 'redis', 'postgres'];
export type Victim = ProcessName | ServerName;

/** A crash between the mail server's 250 and our mark may send a mail again: with the same Message-ID, and only from a worker that was sending just then. */
const mayRepeat = new Set<Victim>(['notifications', 'postgres']);
const workers = 10;

interface Mail {
  message_id: string;
  to: string[];
  links: string[];
}

/** The house as it runs for people, in processes of its own, on throw-away servers, with the demo organization; made to be killed in parts. */
export class HouseUnderFire {
  private constructor(
    private readonly infrastructure: Infrastructure,
    private readonly house: House,
  ) {}

  static async start(): Promise<HouseUnderFire> {
    const directory = mkdtempSync(join(tmpdir(), 'tandem-chaos-'));
    const infrastructure = await startInfrastructure({ directory, ephemeral: true, log: () => undefined });
    const house = new House(directory, () => undefined);
    await house.configure(infrastructure.env);
    Object.assign(house.env, {
      LOG_LEVEL: 'warn',
      SWEEP_MS: '1000',
      RATE_LIMIT_SUBMISSIONS_PER_HOUR: '1000000',
      RATE_LIMIT_API_PER_MINUTE: '1000000',
    });
    await house.migrate(new AbortController().signal);
    await house.start();
    await house.command('demo', new AbortController().signal);
    return new HouseUnderFire(infrastructure, house);
  }

  async stop(): Promise<void> {
    await this.house.stop();
    await this.infrastructure.stop();
  }

  get api(): string {
    return `${this.house.publicUrl}/api/v1`;
  }

  /** Sends a request that creates; undefined when it was not accepted. Whatever is away, the answer says so and can be understood. */
  create<T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T | undefined> {
    return this.send('POST', path, body, headers);
  }

  async send<T>(method: 'POST' | 'PATCH', path: string, body: object, headers: Record<string, string> = {}): Promise<T | undefined> {
    try {
      const answer = await fetch(this.api + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      });
      if (answer.ok) return ((await answer.json()) as { data: T }).data;
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, expect.stringContaining('application/problem+json')]);
      return undefined;
    } catch (error) {
      // The connection died with the process. By name: Jest's own realm has another TypeError than fetch.
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return undefined;
      throw error;
    }
  }

  /** Kills the victim with SIGKILL while `act` happens ten times a second, waits until the house stands again, and answers what was accepted. */
  async whileKilling<T>(victim: Victim, act: (i: number) => Promise<T | undefined>): Promise<T[]> {
    const revived = this.#killAndRevive(victim);
    let done = false;
    void revived.finally(() => (done = true)).catch(() => undefined);
    const pending: Promise<T | undefined>[] = [];
    for (let i = 0; !done; i++) {
      pending.push(act(i));
      await pause(100);
    }
    await revived;
    return (await Promise.all(pending)).filter((accepted) => accepted !== undefined);
  }

  async #killAndRevive(victim: Victim): Promise<void> {
    await pause(1_500);
    if (servers.includes(victim as ServerName)) {
      await this.infrastructure.kill(victim as ServerName, 'SIGKILL');
      await pause(2_000);
      await this.infrastructure.restart(victim as ServerName);
    } else {
      await this.house.kill(victim as ProcessName, 'SIGKILL');
    }
    await this.house.untilReady();
    await pause(1_500);
  }

  /** What really stands in a service's database, past every policy. */
  async rows<Row>(database: string, query: string, values: unknown[]): Promise<Row[]> {
    const admin = new URL(this.infrastructure.env.PG_ADMIN_URL);
    admin.pathname = `/tandem_${database}`;
    const client = new pg.Client({ connectionString: admin.href });
    await client.connect();
    try {
      return (await client.query(query, values)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  /** The token of the link that was mailed to this address. */
  async mailedToken(to: string): Promise<string> {
    for (let rest = 120; rest > 0; rest--) {
      const link = (await this.#mails()).filter((mail) => mail.to.includes(to)).flatMap(({ links }) => links)[0];
      if (link) return new URL(link).searchParams.get('token') ?? '';
      await pause(250);
    }
    throw new Error(`No mail came to ${to}`);
  }

  /** Every address gets one mail: never none, and never two different ones. */
  async expectOneMailEach(addresses: string[], victim: Victim): Promise<void> {
    const sent = await this.#untilMailed(addresses);
    expect(addresses.filter((email) => new Set(sent.get(email)).size !== 1)).toEqual([]);
    const repeats = addresses.reduce((sum, email) => sum + (sent.get(email)?.length ?? 0) - 1, 0);
    expect(repeats).toBeLessThanOrEqual(mayRepeat.has(victim) ? workers : 0);
  }

  /** Message-IDs by address, once every address has at least one mail and no more are arriving. */
  async #untilMailed(addresses: string[]): Promise<Map<string, string[]>> {
    for (let rest = 120; ; rest--) {
      const byAddress = new Map<string, string[]>();
      for (const mail of await this.#mails()) for (const to of mail.to) byAddress.set(to, [...(byAddress.get(to) ?? []), mail.message_id]);
      const missing = addresses.filter((address) => !byAddress.has(address));
      if (missing.length === 0 || rest === 0) {
        expect(missing).toEqual([]);
        await pause(1_000);
        return byAddress;
      }
      await pause(1_000);
    }
  }

  async #mails(): Promise<Mail[]> {
    return (await (await fetch(`${this.infrastructure.env.MAILBOX_URL}/api/messages?limit=100000`)).json()) as Mail[];
  }
}
