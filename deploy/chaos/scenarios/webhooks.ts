import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosApp } from '../chaos-app.ts';
import { createTickets, signedIn, untilPasses } from '../ticketing.ts';

const endpoints = 10;
/** Tickets before each fault: two per endpoint are delivered before it, five are being delivered, the others wait. */
const perFault = 15;
const answeredBefore = 2;
const customer_email = 'hook@example.com';

/** Receives webhooks of several endpoints, each under its own path. */
export class WebhookReceiver {
  /** The bodies that arrived, by path and by event id. */
  readonly received = new Map<string, Map<string, string[]>>();
  /** Number of requests that each path still answers; undefined if it answers all. */
  #budget: Map<string, number> | undefined;
  readonly #held: (() => void)[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const events = receiver.received.get(request.url!)!;
        const id = String(request.headers['webhook-id']);
        events.set(id, [...(events.get(id) ?? []), Buffer.concat(chunks).toString()]);
        receiver.#answer(request.url!, () => response.writeHead(200).end());
      });
    });
    const receiver = new WebhookReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on, each path answers this many requests; the others wait for `release`. */
  holdAfter(requests: number): void {
    this.#budget = new Map([...this.received.keys()].map((path) => [path, requests]));
  }

  /** Answers the waiting requests, and all later ones. A request whose sender was killed has no connection, and its answer is lost. */
  release(): void {
    this.#budget = undefined;
    for (const answer of this.#held.splice(0)) answer();
  }

  get waiting(): number {
    return this.#held.length;
  }

  #answer(path: string, answer: () => void): void {
    const left = this.#budget?.get(path);
    if (left === 0) return void this.#held.push(answer);
    if (left !== undefined) this.#budget!.set(path, left - 1);
    answer();
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Components fail while webhooks are delivered. */
export function webhooks(running: () => ChaosApp, startedReceiver: () => WebhookReceiver): void {
  let app: ChaosApp;
  let receiver: WebhookReceiver;
  let admin: Record<string, string>;

  beforeAll(async () => {
    app = running();
    receiver = startedReceiver();
    admin = await signedIn(app, 'admin@demo.test');
    for (let i = 0; i < endpoints; i++) {
      receiver.received.set(`/${i}`, new Map());
      // Events of other tickets may not have been delivered yet.
      const condition = { field: 'customer_email', op: 'is', value: customer_email };
      await app.mustCreate('/webhook-endpoints', { url: `http://${receiver.host}/${i}`, events: ['ticket.created'], condition }, admin);
    }
  }, 120_000);

  const arrivals = () => [...receiver.received.values()].reduce((sum, events) => sum + events.size, 0);

  /** Simulates expired leases of attempts whose process was killed. Rows that a running process is changing have another one. */
  const expireLeases = () =>
    app.rows(
      'notifications',
      `update webhook_deliveries set claimed_until = now() where id in (
         select id from webhook_deliveries where state = 'pending' and claimed_until > now() for update skip locked)`,
      [],
    );

  it('delivers each of 600 events at least once, and repeats only with the same id, when every component fails during the deliveries', async () => {
    // The receivers answer during the fault: the outcomes of these deliveries cannot be stored.
    const release = () => Promise.resolve(receiver.release());
    const faults: [string, () => Promise<void>][] = [
      ['notifications', () => app.killAndRestart('notifications', release)],
      ['nats', () => app.killAndRestart('nats', release)],
      ['redis', () => app.flushRedis().then(release)],
      ['postgres', () => app.killAndRestart('postgres', release)],
    ];
    const tickets: string[] = [];
    for (const [name, cause] of faults) {
      receiver.holdAfter(answeredBefore);
      tickets.push(...(await createTickets(app, admin, { scenario: name, customer_email, count: perFault })));
      await untilPasses(() => Promise.resolve(expect(receiver.waiting).toBeGreaterThanOrEqual(endpoints)));
      expect(arrivals()).toBeLessThan(endpoints * tickets.length);
      await cause();
      await pause(500);
      await expireLeases();
    }
    await untilPasses(async () => {
      const pending = await app.rows('notifications', `select id from webhook_deliveries where state = 'pending'`, []);
      expect([pending.length, arrivals()]).toEqual([0, endpoints * tickets.length]);
    });
    for (const events of receiver.received.values()) {
      const subjects = [...events.values()].map((bodies) => {
        // A repeat is recognizable: the same id, and the same bytes.
        expect(new Set(bodies).size).toBe(1);
        return (JSON.parse(bodies[0]!) as { data: { ticket: { id: string } } }).data.ticket.id;
      });
      expect(subjects.sort()).toEqual(tickets.toSorted());
    }
    const states = await app.rows<{ state: string; n: number }>(
      'notifications',
      `select state, count(*)::integer as n from webhook_deliveries where event = 'ticket.created' group by state`,
      [],
    );
    expect(states).toEqual([{ state: 'delivered', n: endpoints * tickets.length }]);
  }, 180_000);
}
