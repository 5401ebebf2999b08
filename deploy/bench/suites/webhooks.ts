import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import type { Report } from '../report.ts';
import { cpuBetween, readCpu } from '../processes.ts';
import { organizations } from '../seed.ts';
import { call, expect, signIn, type SignedIn } from '../session.ts';
import { quantile } from '../statistics.ts';
import { settled } from './scale-cases.ts';

const tickets = 200;
const perSecond = 100;
/** Organizations at 100 a second. */
const spread = 10;
/** For half a minute: in four seconds, the first moments at a new rate decide the p99. */
const inMany = 3_000;
/** Below the 500 deliveries that an endpoint gets in a minute. */
const inOne = 400;
/** Tickets of the warm-up: until V8 has compiled the code and PostgreSQL has cached its plans. */
const warmUp = { one: 200, many: 3_000 };
/** In alternating rounds: with one round of each, a single hiccup of the machine decided the ratio of their p99. */
const isolated = { tickets: 200, perSecond: 20, rounds: 4 };

/** The last events and emails of a run are handled in this time: their CPU time is part of a ticket's. A slow machine needs longer. */
const emailsMs = 500;
const emailsAtMostMs = 120_000;

/** Wall-clock time in fractional milliseconds. */
const now = () => performance.timeOrigin + performance.now();

/** Receives the webhooks, checks every signature, and records when the event of each ticket arrived. */
class BenchReceiver {
  readonly #arrived = new Map<string, PromiseWithResolvers<number>>();
  readonly #secrets = new Map<string, string>();

  readonly host: string;
  readonly #server: Server;

  private constructor(server: Server, host: string) {
    this.#server = server;
    this.host = host;
  }

  static async start(): Promise<BenchReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new BenchReceiver(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const at = now();
        const body = Buffer.concat(chunks).toString();
        const path = request.url ?? '';
        receiver.check(path, body, request.headers as Record<string, string>);
        const { data } = JSON.parse(body) as { data: { ticket: { id: string } } };
        receiver.#arrival(path, data.ticket.id).resolve(at);
        if (path.endsWith('/hang')) return;
        response.writeHead(path.endsWith('/500') ? 500 : 200).end();
      });
    });
    return receiver;
  }

  #arrival(path: string, ticketId: string): PromiseWithResolvers<number> {
    const key = `${path} ${ticketId}`;
    const arrival = this.#arrived.get(key) ?? Promise.withResolvers<number>();
    this.#arrived.set(key, arrival);
    return arrival;
  }

  /** When the event of a ticket arrived first. Not polled: hundreds of timers would take the time that is measured. */
  async arrival(path: string, ticketId: string, signal: AbortSignal): Promise<number> {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
    const late = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason as Error)));
    return Promise.race([this.#arrival(path, ticketId).promise, late]);
  }

  trust(path: string, secret: string): void {
    this.#secrets.set(path, secret);
  }

  /** A figure of deliveries with wrong signatures would be meaningless. */
  private check(path: string, body: string, headers: Record<string, string>): void {
    const key = Buffer.from((this.#secrets.get(path) ?? '').slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect('signature', headers['webhook-signature'], `v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Milliseconds from the request that creates a ticket. */
interface Times {
  /** The time to the response. */
  answered: number[];
  /** The time until the first receiver has the signed event. */
  delivered: number[];
  /**
   * CPU milliseconds per ticket of each process, and of PostgreSQL for each database: including the work that the ticket causes, such as
   * emails.
   */
  cpu: Record<string, number>;
}

/** Measures the time from the request that creates a ticket to its signed event at a receiver. */
export async function webhooksSuite(signal: AbortSignal): Promise<Report> {
  const receiver = await BenchReceiver.start();
  const system = await BenchSystem.start(signal, undefined, { WEBHOOK_TEST_RECEIVERS: receiver.host });
  try {
    const sessions = await Promise.all(
      // The first organization is only read.
      organizations.slice(1, 1 + spread).map(({ people }) => signIn(system.gatewayOrigin, people[0]!)),
    );
    const many = new Run(system, receiver, sessions);
    const one = new Run(system, receiver, sessions.slice(0, 1));
    await step(`${warmUp.one} tickets, 20 a second, to warm up`, () => one.measure('warm-up', ['/warm-up'], warmUp.one, 20));
    await step(`${warmUp.many} tickets, 80 a second, to warm up`, () => many.measure('warm-up-many', ['/warm-up'], warmUp.many, 80));
    const idle = await step(`${tickets} tickets, one at a time`, () => one.measure('idle', ['/idle'], tickets));
    const { tickets: count, perSecond: rate, rounds } = isolated;
    const [alone, beside]: [Times[], Times[]] = [[], []];
    for (let i = 0; i < rounds; i++) {
      const of = `${i + 1} of ${rounds}`;
      const measure = (label: string, paths: string[]) => one.measure(`${label}-${i}`, paths, count, rate);
      alone.push(await step(`${count} tickets, ${rate} a second, one receiver (${of})`, () => measure('alone', ['/alone'])));
      const others = ['/fast', '/hang', '/500'];
      beside.push(await step(`the same, with a receiver that hangs and one that fails (${of})`, () => measure('beside', others)));
    }
    const steady = await step(`${inMany} tickets, ${perSecond} a second in ${spread} organizations`, () =>
      many.measure('steady', ['/steady'], inMany, perSecond),
    );
    const single = await step(`${inOne} tickets, ${perSecond} a second in one organization`, () =>
      one.measure('single', ['/single'], inOne, perSecond),
    );
    return report({ idle, steady, single, alone: together(alone), beside: together(beside) });
  } finally {
    receiver.close();
    await system.stop();
  }
}

/** The figures of all rounds; the CPU time of the last one. */
const together = (rounds: Times[]): Times => ({
  answered: rounds.flatMap(({ answered }) => answered),
  delivered: rounds.flatMap(({ delivered }) => delivered),
  cpu: rounds.at(-1)!.cpu,
});

class Run {
  readonly #system: BenchSystem;
  readonly #receiver: BenchReceiver;
  /** One per organization. */
  readonly #sessions: SignedIn[];

  constructor(system: BenchSystem, receiver: BenchReceiver, sessions: SignedIn[]) {
    this.#system = system;
    this.#receiver = receiver;
    this.#sessions = sessions;
  }

  /**
   * Creates tickets in the organizations in turn, each of which has an endpoint for every path. Without a rate, each ticket waits for the
   * event of the one before it.
   */
  async measure(label: string, paths: string[], count: number, rate?: number): Promise<Times> {
    const pathOf = (organization: number, path: string) => `/${label}/${organization}${path}`;
    const endpoints: { session: SignedIn; id: string }[] = [];
    for (const [organization, session] of this.#sessions.entries())
      for (const path of paths) endpoints.push({ session, id: await this.#subscribe(session, pathOf(organization, path)) });
    const before = readCpu(this.#system.product);
    const begun = performance.now();
    const stories: Promise<{ answered: number; delivered: number }>[] = [];
    for (let i = 0; i < count; i++) {
      if (rate !== undefined) await sleep(Math.max(0, begun + (i * 1_000) / rate - performance.now()));
      const organization = i % this.#sessions.length;
      const story = this.#one(this.#sessions[organization]!, pathOf(organization, paths[0]!), `${label}-${i}@example.com`);
      stories.push(story);
      if (rate === undefined) await story;
    }
    const times = await Promise.all(stories);
    await sleep(emailsMs);
    await settled(this.#system, emailsAtMostMs);
    const used = Object.entries(cpuBetween(before, readCpu(this.#system.product)));
    const cpu = Object.fromEntries(used.map(([name, ms]) => [name, ms / count]));
    for (const { session, id } of endpoints) await call(this.#system, session, 'DELETE', `/webhook-endpoints/${id}`);
    return { answered: times.map(({ answered }) => answered), delivered: times.map(({ delivered }) => delivered), cpu };
  }

  async #one(session: SignedIn, path: string, email: string): Promise<{ answered: number; delivered: number }> {
    const sent = now();
    const ticket = { subject: `About ${email}`, customer_email: email };
    const { id } = await call<{ id: string }>(this.#system, session, 'POST', '/tickets', ticket);
    const answered = now() - sent;
    return { answered, delivered: (await this.#receiver.arrival(path, id, this.#system.signal)) - sent };
  }

  async #subscribe(session: SignedIn, path: string): Promise<string> {
    const body = { url: `http://${this.#receiver.host}${path}`, events: ['ticket.created'] };
    type Created = { endpoint: { id: string }; secret: string };
    const { endpoint, secret } = await call<Created>(this.#system, session, 'POST', '/webhook-endpoints', body);
    this.#receiver.trust(path, secret);
    return endpoint.id;
  }
}

function report(figures: Record<'idle' | 'steady' | 'single' | 'alone' | 'beside', Times>): Report {
  const cells = (times: number[]) => [0.5, 0.95, 0.99].map((q) => quantile(times, q).toFixed(1));
  const rows = (name: string, { answered, delivered }: Times, goal: string) => [
    [name, ...cells(delivered), goal],
    ['– until the response to the request', ...cells(answered), ''],
  ];
  const ratio = quantile(figures.beside.delivered, 0.99) / quantile(figures.alone.delivered, 0.99);
  const goal = (work: string, { delivered }: Times, q: number, limit: number) => ({
    id: 'G7',
    work: `webhook, ${work}, p${q * 100}`,
    measured: quantile(delivered, q),
    limit,
    unit: 'ms',
  });
  const columns = ['', 'p50', 'p95', 'p99', 'goal'];
  const cpuOf = ({ cpu }: Times, name: string) => (cpu[name] ?? 0).toFixed(2);
  const total = ({ cpu }: Times) => Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  const names = Object.keys(figures.idle.cpu).sort((a, b) => figures.idle.cpu[b]! - figures.idle.cpu[a]!);
  const cpuRows = names.map((name) => [name, cpuOf(figures.idle, name), cpuOf(figures.steady, name), cpuOf(figures.single, name)]);
  return {
    tables: [
      {
        title: 'From the request that creates a ticket to its signed event at the receiver, ms',
        columns,
        rows: [
          ...rows('idle, one at a time', figures.idle, 'p50 ≤ 10, p99 ≤ 40'),
          ...rows(`${perSecond} a second in ${spread} organizations`, figures.steady, 'p99 ≤ 150'),
          ...rows(`${perSecond} a second in one organization`, figures.single, ''),
        ],
      },
      {
        title: `A fast receiver, ms, ${isolated.perSecond} tickets a second (p99 beside the others ÷ alone: ${ratio.toFixed(2)})`,
        columns,
        rows: [
          ['alone', ...cells(figures.alone.delivered), ''],
          ['with one that hangs and one that fails', ...cells(figures.beside.delivered), 'p99 ≤ 2 × alone'],
        ],
      },
      {
        title: 'CPU per ticket with its webhook and its email, ms',
        columns: ['', 'idle', `${perSecond} a second in ${spread} organizations`, 'in one'],
        rows: [...cpuRows, ['total', ...[figures.idle, figures.steady, figures.single].map((times) => total(times).toFixed(2))]],
      },
    ],
    figures,
    goals: [
      goal('idle', figures.idle, 0.5, 10),
      goal('idle', figures.idle, 0.99, 40),
      goal(`${perSecond} tickets a second`, figures.steady, 0.99, 150),
    ],
  };
}
