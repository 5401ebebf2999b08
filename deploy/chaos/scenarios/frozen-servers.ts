import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosApp } from '../chaos-app.ts';
import { expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';

/** Longer than the time after which connections count as dead (two pings of NATS, 20 seconds). */
const frozenMs = 22_000;
/** For each answer, even on a slow machine: without a time limit, a request would wait until the server continues. */
const answersWithinMs = 15_000;

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, signal: AbortSignal.timeout(answersWithinMs) });

/** Servers accept connections, but do not answer. */
export function frozenServers(running: () => ChaosApp): void {
  let app: ChaosApp;
  let admin: Record<string, string>;
  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
  }, 120_000);

  /** Returns the ticket if it was created. Otherwise the answer must be 503 with a problem that names a code. */
  async function createTicket(subject: string): Promise<string | undefined> {
    const customer_email = `frozen-${randomBytes(4).toString('hex')}@example.com`;
    const answer = await fetch(`${app.api}/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...admin },
      body: JSON.stringify({ subject, customer_email }),
      signal: AbortSignal.timeout(answersWithinMs),
    });
    const body = (await answer.json()) as { data?: { id: string }; code?: string };
    if (answer.status === 201) return body.data!.id;
    expect([answer.status, answer.headers.get('content-type'), typeof body.code]).toEqual([
      503,
      expect.stringContaining('application/problem+json'),
      'string',
    ]);
    return undefined;
  }

  describe('a server that accepts connections and does not answer', () => {
    it.each(['nats', 'redis'] as const)(
      '%s: processes stay ready, reads work, each write is answered, and work continues afterwards',
      async (server) => {
        const created: (string | undefined)[] = [];
        await app.whileFrozen(server, async () => {
          for (const until = Date.now() + frozenMs; Date.now() < until; await pause(1_000)) {
            expect([server, (await get(`${app.publicUrl}/health/ready`)).status]).toEqual([server, 200]);
            expect([server, (await get(`${app.api}/tickets?limit=5`, admin)).status]).toEqual([server, 200]);
            created.push(await createTicket(`frozen ${server}`));
          }
        });
        await untilPasses(async () => {
          created.push(await createTicket(`frozen ${server}`));
          expect(created.at(-1)).toBeDefined();
        }, 30);
        const accepted = created.filter((id) => id !== undefined);
        const stored = await app.rows<{ id: string }>('tickets', 'select id from tickets where subject = $1', [`frozen ${server}`]);
        expect(accepted.filter((id) => !stored.some((ticket) => ticket.id === id))).toEqual([]);
        await untilPasses(async () => {
          await expectNoPendingWork(app);
          const query = 'select ticket_id from ticket_facts where ticket_id = any($1)';
          const facts = await app.rows<{ ticket_id: string }>('analytics', query, [accepted]);
          expect(facts.map(({ ticket_id }) => ticket_id).sort()).toEqual([...accepted].sort());
        }, 45);
      },
      120_000,
    );
  });
}
