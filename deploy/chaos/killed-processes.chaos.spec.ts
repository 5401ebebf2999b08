import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { House, type ProcessName } from '../local/house.ts';
import { startInfrastructure, type Infrastructure, type ServerName } from '../local/infrastructure.ts';

/** The house as it runs for people, in processes of its own, on throw-away servers. */
let infrastructure: Infrastructure;
let house: House;

beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tandem-chaos-'));
  infrastructure = await startInfrastructure({ directory, ephemeral: true, log: () => undefined });
  house = new House(directory, () => undefined);
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
}, 120_000);

afterAll(async () => {
  await house?.stop();
  await infrastructure?.stop();
}, 60_000);

interface Accepted {
  id: string;
  ticket_number: string;
  customer_email: string;
}

/** Submits a ticket on the demo organization's portal; undefined when it was not accepted. */
async function submit(customer_email: string): Promise<Accepted | undefined> {
  try {
    const answer = await fetch(`${house.publicUrl}/api/v1/public/tickets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ subject: `Chaos for ${customer_email}`, customer_email }),
      signal: AbortSignal.timeout(15_000),
    });
    if (answer.status !== 201) {
      // Whatever is away, the answer says so, and can be understood.
      expect([answer.status, answer.headers.get('content-type')]).toEqual([503, expect.stringContaining('application/problem+json')]);
      return undefined;
    }
    const { data } = (await answer.json()) as { data: Accepted };
    return data;
  } catch (error) {
    // The connection died with the process. By name: Jest's own realm has another TypeError than fetch.
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return undefined;
    throw error;
  }
}

/** Ten submissions a second, until `until` has come to pass. */
async function submitDuring(label: string, until: Promise<unknown>): Promise<Accepted[]> {
  let done = false;
  void until.finally(() => (done = true)).catch(() => undefined);
  const pending: Promise<Accepted | undefined>[] = [];
  for (let i = 0; !done; i++) {
    pending.push(submit(`${label}-${i}@example.com`));
    await pause(100);
  }
  await until;
  return (await Promise.all(pending)).filter((ticket) => ticket !== undefined);
}

interface Mail {
  message_id: string;
  to: string[];
}
const mails = async (): Promise<Mail[]> =>
  (await (await fetch(`${infrastructure.env.MAILBOX_URL}/api/messages?limit=100000`)).json()) as Mail[];

async function ticketsInDatabase(label: string): Promise<{ customer_email: string; ticket_number: string }[]> {
  const admin = new URL(infrastructure.env.PG_ADMIN_URL);
  admin.pathname = '/tandem_tickets';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    const { rows } = await client.query('select customer_email, ticket_number from tickets where customer_email like $1', [`${label}-%`]);
    return rows as { customer_email: string; ticket_number: string }[];
  } finally {
    await client.end();
  }
}

const services: ProcessName[] = ['tickets', 'notifications', 'identity', 'analytics', 'integrations', 'gateway'];
const servers: ServerName[] = ['nats', 'redis', 'postgres'];
/** A crash between the mail server's 250 and our mark may send a mail again: with the same Message-ID, and only from a worker that was sending just then. */
const mayRepeat = new Set<string>(['notifications', 'postgres']);
const workers = 10;

describe('a process is killed while tickets are being submitted', () => {
  it.each([...services, ...servers])(
    '%s: every accepted ticket exists once, with exactly one mail',
    async (victim) => {
      const accepted = await submitDuring(victim, killAndRevive(victim));
      expect(accepted.length).toBeGreaterThan(10);

      const stored = await ticketsInDatabase(victim);
      const times = (email: string) => stored.filter((ticket) => ticket.customer_email === email).length;
      expect(accepted.filter((ticket) => times(ticket.customer_email) !== 1)).toEqual([]);

      const addresses = stored.map((ticket) => ticket.customer_email);
      const sent = await untilMailed(addresses);
      expect(addresses.filter((email) => new Set(sent.get(email)).size !== 1)).toEqual([]);
      const repeats = addresses.reduce((sum, email) => sum + (sent.get(email)?.length ?? 0) - 1, 0);
      expect(repeats).toBeLessThanOrEqual(mayRepeat.has(victim) ? workers : 0);
    },
    240_000,
  );
});

async function killAndRevive(victim: string): Promise<void> {
  await pause(1_500);
  if (servers.includes(victim as ServerName)) {
    await infrastructure.kill(victim as ServerName, 'SIGKILL');
    await pause(2_000);
    await infrastructure.restart(victim as ServerName);
  } else {
    await house.kill(victim as ProcessName, 'SIGKILL');
  }
  await house.untilReady();
  await pause(1_500);
}

/** Message-IDs by address, once every address has at least one mail and no more are arriving. */
async function untilMailed(addresses: string[]): Promise<Map<string, string[]>> {
  for (let rest = 120; ; rest--) {
    const byAddress = new Map<string, string[]>();
    for (const mail of await mails()) for (const to of mail.to) byAddress.set(to, [...(byAddress.get(to) ?? []), mail.message_id]);
    const missing = addresses.filter((address) => !byAddress.has(address));
    if (missing.length === 0 || rest === 0) {
      expect(missing).toEqual([]);
      await pause(1_000);
      return byAddress;
    }
    await pause(1_000);
  }
}
