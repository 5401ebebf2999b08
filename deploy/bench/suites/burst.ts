import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { cpuBetween, readCpu } from '../processes.ts';
import type { Report } from '../report.ts';
import { organizationsOf, type Organization, type Size } from '../seed.ts';
import { call, signIn, tokenOf } from '../session.ts';
import { quantile } from '../statistics.ts';
import { Victims } from '../victims.ts';

/** Half of the organizations change tickets, the others read their lists. */
const size: Size = { organizations: 40, first: 2_000, each: 2_000, commented: 10, people: 5 };
const changing = 20;
/** As many as an endpoint gets in a minute. */
const changesEach = 500;
const perCall = 100;
const warmUpEach = 100;
const aloneSeconds = 20;
/** 600 webhooks a second. */
const maxSeconds = 16.7;

/** Counts the events that it receives, each once. */
class CountingReceiver {
  readonly #server: Server;
  readonly #ids = new Set<string>();
  #wanted = 0;
  #reached = Promise.withResolvers<void>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<CountingReceiver> {
    const server = createServer();
    const receiver = new CountingReceiver(server);
    server.on('request', (request, response) => {
      request.resume().on('end', () => {
        receiver.#ids.add(String(request.headers['webhook-id']));
        if (receiver.#ids.size >= receiver.#wanted) receiver.#reached.resolve();
        response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get count(): number {
    return this.#ids.size;
  }

  /** Resolves when `wanted` different events have arrived since the start. */
  async until(wanted: number, signal: AbortSignal): Promise<void> {
    this.#wanted = wanted;
    this.#reached = Promise.withResolvers();
    if (this.#ids.size >= wanted) return;
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(300_000)]);
    const late = new Promise<never>((_, reject) => timeout.addEventListener('abort', () => reject(timeout.reason as Error)));
    await Promise.race([this.#reached.promise, late]);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface Measured {
  seconds: number;
  events: number;
  /** Milliseconds of the lists of the other organizations. */
  alone: number[];
  during: number[];
  /** CPU milliseconds per event of each process. */
  cpu: Record<string, number>;
}

/** NATS is frozen while 10,000 tickets are changed. Measures how soon their webhooks arrive after that, and the lists of others meanwhile. */
export async function burstSuite(signal: AbortSignal): Promise<Report> {
  const receiver = await CountingReceiver.start();
  const system = await BenchSystem.start(signal, size, { WEBHOOK_TEST_RECEIVERS: receiver.host });
  try {
    const all = organizationsOf(size);
    const changers = all.slice(0, changing);
    const victims = await Victims.of(system, all.slice(changing));
    for (const organization of changers) await subscribe(system, organization, receiver.host);
    await step(`${warmUpEach * changing} changes to warm up`, async () => {
      await change(system, changers, 'urgent', warmUpEach);
      await receiver.until(warmUpEach * changing, signal);
    });
    await sleep(60_000, undefined, { signal }); // until the endpoints may receive as many as in a minute
    const wait = () => sleep(aloneSeconds * 1_000, undefined, { signal });
    await step('lists to warm up', () => victims.during(wait));
    const { latencies: alone } = await step('lists without the burst', () => victims.during(wait));
    return report({ ...(await burst(system, receiver, changers, victims)), alone });
  } finally {
    receiver.close();
    await system.stop();
  }
}

async function subscribe(system: BenchSystem, { people }: Organization, host: string): Promise<void> {
  const session = await signIn(system.gatewayOrigin, people[0]!);
  await call(system, session, 'POST', '/webhook-endpoints', { url: `http://${host}/`, events: ['ticket.updated'] });
}

/** Sets the priority of the newest tickets; two organizations at a time. */
async function change(system: BenchSystem, organizations: readonly Organization[], priority: string, each: number): Promise<void> {
  const waiting = [...organizations];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const token = await tokenOf(system, next.people[0]!);
      const rows = await system.query<{ id: string }>(
        'tandem_tickets',
        'select id from tickets where organization_id = $1 and priority <> $2 order by created_at desc, id desc limit $3',
        [next.id, priority, each],
      );
      for (let from = 0; from < rows.length; from += perCall) {
        const ids = rows.slice(from, from + perCall).map(({ id }) => id);
        const results = await call<{ code: string | null }[]>(system, token, 'POST', '/tickets/bulk', { ids, changes: { priority } });
        const failed = results.find(({ code }) => code !== null);
        if (failed) throw new Error(`a change failed: ${failed.code}`);
      }
    }
  };
  await Promise.all([worker(), worker()]);
}

async function burst(
  system: BenchSystem,
  receiver: CountingReceiver,
  changers: readonly Organization[],
  victims: Victims,
): Promise<Omit<Measured, 'alone'>> {
  const nats = system.product.find(({ name }) => name === 'nats')!;
  const events = changesEach * changing;
  process.kill(nats.pid, 'SIGSTOP');
  try {
    await step(`${events} changes while NATS is frozen`, () => change(system, changers, 'low', changesEach));
  } finally {
    process.kill(nats.pid, 'SIGCONT');
  }
  const before = { cpu: readCpu(system.product), count: receiver.count, at: performance.now() };
  const { latencies } = await step(`${events} webhooks`, () => victims.during(() => receiver.until(before.count + events, system.signal)));
  const used = Object.entries(cpuBetween(before.cpu, readCpu(system.product)));
  return {
    seconds: (performance.now() - before.at) / 1_000,
    events,
    during: latencies,
    cpu: Object.fromEntries(used.map(([name, ms]) => [name, ms / events])),
  };
}

function report({ seconds, events, alone, during, cpu }: Measured): Report {
  const cells = (latencies: number[]) => [0.5, 0.95, 0.99].map((q) => quantile(latencies, q).toFixed(1));
  const perSecond = events / seconds;
  const ratio = quantile(during, 0.99) / quantile(alone, 0.99);
  const processes = Object.entries(cpu).sort(([, a], [, b]) => b - a);
  const total = processes.reduce((sum, [, ms]) => sum + ms, 0);
  return {
    tables: [
      {
        title: `${events.toLocaleString('en')} events at once: all webhooks have arrived after ${seconds.toFixed(1)} s, ${perSecond.toFixed(0)} a second`,
        columns: ['lists of twenty other organizations, ms', 'p50', 'p95', 'p99'],
        rows: [
          ['without the burst', ...cells(alone)],
          ['during the burst', ...cells(during)],
        ],
      },
      {
        title: 'CPU per event during the burst, with the lists, ms',
        columns: ['', 'ms'],
        rows: [...processes.map(([name, ms]) => [name, ms.toFixed(2)]), ['total', total.toFixed(2)]],
      },
    ],
    figures: { seconds, events, alone, during, cpu },
    goals: [
      { id: 'G8', work: '10,000 events at once, until all webhooks have arrived', measured: seconds, limit: maxSeconds, unit: 's' },
      { id: 'G8', work: 'list of other organizations meanwhile, p99 ÷ p99 without the events', measured: ratio, limit: 2, unit: '×' },
    ],
  };
}
