import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import type { Report } from '../report.ts';
import { ask, expect, signIn, type SignedIn } from '../session.ts';
import { quantile } from '../statistics.ts';
import { createIn } from './cases.ts';

const tickets = 200;
const perSecond = 100;
/** At 100 a second: below the 500 deliveries that an endpoint gets in a minute. */
const burst = 400;
const isolated = { tickets: 200, perSecond: 20 };

/** Wall-clock time in fractional milliseconds. */
const now = () => performance.timeOrigin + performance.now();

/** Receives the webhooks, checks every signature, and notes when the event of each ticket arrived. */
class BenchReceiver {
  readonly arrived = new Map<string, number>();
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
        const key = `${path} ${data.ticket.id}`;
        if (!receiver.arrived.has(key)) receiver.arrived.set(key, at);
        if (path.endsWith('/hang')) return;
        response.writeHead(path.endsWith('/500') ? 500 : 200).end();
      });
    });
    return receiver;
  }

  trust(path: string, secret: string): void {
    this.#secrets.set(path, secret);
  }

  /** A figure of deliveries with wrong signatures would be worthless. */
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

/** Measures the time from the request that creates a ticket to its signed event at a receiver. */
export async function webhooksSuite(signal: AbortSignal): Promise<Report> {
  const receiver = await BenchReceiver.start();
  const system = await BenchSystem.start(signal, undefined, { WEBHOOK_TEST_RECEIVERS: receiver.host });
  try {
    const session = await signIn(system.gatewayOrigin, createIn.product.people[0]!);
    const run = new Run(system, receiver, session);
    await run.measure('warm-up', ['/warm-up'], 40);
    const idle = await step(`${tickets} tickets, one at a time`, () => run.measure('idle', ['/idle'], tickets));
    const steady = await step(`${burst} tickets, ${perSecond} a second`, () => run.measure('steady', ['/steady'], burst, perSecond));
    const { tickets: count, perSecond: rate } = isolated;
    const alone = await step(`${count} tickets, ${rate} a second, one receiver`, () => run.measure('alone', ['/alone'], count, rate));
    const beside = await step(`the same, with a receiver that hangs and one that fails`, () =>
      run.measure('beside', ['/fast', '/hang', '/500'], count, rate),
    );
    return report({ idle, steady, alone, beside });
  } finally {
    receiver.close();
    await system.stop();
  }
}

class Run {
  readonly #system: BenchSystem;
  readonly #receiver: BenchReceiver;
  readonly #session: SignedIn;

  constructor(system: BenchSystem, receiver: BenchReceiver, session: SignedIn) {
    this.#system = system;
    this.#receiver = receiver;
    this.#session = session;
  }

  /** Milliseconds from each request to its event at the first path. Without a rate, each ticket waits for the event of the one before it. */
  async measure(label: string, paths: string[], count: number, rate?: number): Promise<number[]> {
    const endpoints = [];
    for (const path of paths) endpoints.push(await this.#subscribe(`/${label}${path}`));
    const begun = performance.now();
    const stories: Promise<number>[] = [];
    for (let i = 0; i < count; i++) {
      if (rate !== undefined) await sleep(Math.max(0, begun + (i * 1_000) / rate - performance.now()));
      const story = this.#one(`/${label}${paths[0]}`, `${label}-${i}@example.com`);
      stories.push(story);
      if (rate === undefined) await story;
    }
    const times = await Promise.all(stories);
    for (const id of endpoints) await this.#call('DELETE', `/webhook-endpoints/${id}`);
    return times;
  }

  async #one(path: string, email: string): Promise<number> {
    const sent = now();
    const { id } = await this.#call<{ id: string }>('POST', '/tickets', { subject: `About ${email}`, customer_email: email });
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(2)) {
      this.#system.signal.throwIfAborted();
      const at = this.#receiver.arrived.get(`${path} ${id}`);
      if (at !== undefined) return at - sent;
    }
    throw new Error(`no event of ticket ${id} within 60 s`);
  }

  async #subscribe(path: string): Promise<string> {
    const body = { url: `http://${this.#receiver.host}${path}`, events: ['ticket.created'] };
    const { endpoint, secret } = await this.#call<{ endpoint: { id: string }; secret: string }>('POST', '/webhook-endpoints', body);
    this.#receiver.trust(path, secret);
    return endpoint.id;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...this.#session.headers };
    const answer = await ask<T>(`${this.#system.gatewayOrigin}/api/v1${path}`, { method, headers, ...content });
    expect(`${method} ${path} succeeded`, answer.status < 300, true);
    return answer.data;
  }
}

function report(figures: Record<'idle' | 'steady' | 'alone' | 'beside', number[]>): Report {
  const cells = (times: number[]) => [0.5, 0.95, 0.99].map((q) => quantile(times, q).toFixed(1));
  const ratio = quantile(figures.beside, 0.99) / quantile(figures.alone, 0.99);
  const columns = ['', 'p50', 'p95', 'p99', 'goal'];
  return {
    tables: [
      {
        title: 'From the request that creates a ticket to its signed event at the receiver, ms',
        columns,
        rows: [
          ['idle, one at a time', ...cells(figures.idle), 'p50 ≤ 10, p99 ≤ 40'],
          [`${perSecond} a second`, ...cells(figures.steady), 'p99 ≤ 150'],
        ],
      },
      {
        title: `A fast receiver, ms, ${isolated.perSecond} tickets a second (p99 beside the others ÷ alone: ${ratio.toFixed(2)})`,
        columns,
        rows: [
          ['alone', ...cells(figures.alone), ''],
          ['with one that hangs and one that fails', ...cells(figures.beside), 'p99 ≤ 2 × alone'],
        ],
      },
    ],
    figures,
  };
}
