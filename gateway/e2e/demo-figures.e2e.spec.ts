import type { AnalyticsSchema } from '@tandem/analytics/src/schema';
import type { Analytics } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { seedDemoOrganization } from '@tandem/identity/src/demo';
import type { IdentityTables } from '@tandem/identity/src/schema';
import { eventually } from '@tandem/testing';
import { seedDemoHistory } from '@tandem/tickets/src/demo/seed-demo-history';
import { seedDemoTickets } from '@tandem/tickets/src/demo/seed-demo-tickets';
import type { TicketsSchema } from '@tandem/tickets/src/schema';
import { sql } from 'kysely';
import type { Browser } from './client';
import { demoRecount, leavesOf, type Leaf } from './demo-recount';
import { startTestApp, type TestApp } from './test-app';

let app: TestApp;
let admin: Browser;
let tickets: Database<TicketsSchema>;
let organization_id: string;

beforeAll(async () => {
  app = await startTestApp({ SWEEP_MS: '500' });
  const identity = new Database<IdentityTables>({ url: app.env['IDENTITY_DATABASE_URL']!, applicationName: 'test' });
  tickets = new Database<TicketsSchema>({ url: app.env['TICKETS_DATABASE_URL']!, applicationName: 'test' });
  const { organization, members } = await seedDemoOrganization(identity, { isSingle: false });
  await identity.close();
  organization_id = organization.id;
  const member_ids = members.map(({ user_id }) => user_id);
  await seedDemoTickets(tickets, { organization_id, member_ids });
  await seedDemoHistory(tickets, { organization_id, member_ids });
  admin = app.as('admin', organization_id, member_ids[0]);
  await untilCounted();
}, 180_000);
afterAll(() => tickets?.close());

/** Waits until analytics knows all tickets. A recount takes a second of CPU time, so it is not repeated for that. */
async function untilCounted(): Promise<void> {
  const analytics = new Database<AnalyticsSchema>({ url: app.env['ANALYTICS_DATABASE_URL']!, applicationName: 'test' });
  const count = sql<number>`count(*)::integer`.as('count');
  try {
    const all = await tickets.forTenant({ organization_id }, (tx) => tx.selectFrom('tickets').select(count).execute());
    const known = () => analytics.forTenant({ organization_id }, (tx) => tx.selectFrom('ticket_facts').select(count).execute());
    await eventually(async () => expect(await known()).toEqual(all));
  } finally {
    await analytics.close();
  }
}

/** Percentiles come from buckets that grow by 2 %, averages from sums that are rounded. All others are equal. */
function isEqual({ path, value }: Leaf, expected: Leaf['value']): boolean {
  if (typeof value !== 'number' || typeof expected !== 'number') return value === expected;
  if (/median|p90/.test(path)) return Math.abs(value - expected) <= 0.02 * expected + 1 / 3_600;
  return /avg|rate|compliance|figures_per_day/.test(path) ? Math.abs(value - expected) <= 1e-3 * Math.max(1, expected) : value === expected;
}

interface Compared extends Leaf {
  expected: Leaf['value'];
}
async function compare(query: string): Promise<Compared[]> {
  const { data } = await admin.get<Analytics>(`/analytics?${query}`);
  const counted = await tickets.forTenant({ organization_id }, (tx) => demoRecount(tx, data.period, data.time_zone));
  const page = new Map(leavesOf(data).map(({ path, value }) => [path, value]));
  return leavesOf(counted).map(({ path, value }) => ({ path, value: page.get(path), expected: value }));
}

/** All of `figures`, then one line for each list. */
function tableOf(query: string, compared: Compared[]): string {
  const shown = (value: Leaf['value']) => (typeof value === 'number' ? String(Math.round(value * 1e4) / 1e4) : String(value));
  const groups = Map.groupBy(compared, ({ path }) => (/^(figures|previous)\./.test(path) ? path : path.split('.')[0]!));
  const lines = [...groups].map(([name, rows]) => {
    const [row] = rows;
    const equal = `${rows.filter((each) => isEqual(each, each.expected)).length} of ${rows.length} equal`;
    return rows.length === 1 ? [name, shown(row!.value), shown(row!.expected), equal] : [name, '', '', equal];
  });
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()); // prettier-ignore
  return [`\nGET /analytics?${query}: page, SQL on the tickets database`, ...text, ''].join('\n');
}

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const custom = `from=${day(61)}&to=${day(20)}`;

// `SHOW_FIGURES=1` prints the numbers.
it.each(['range=30', 'range=7', 'range=90', custom])(
  'the page equals a recount of the demo data by SQL, number by number: %s',
  async (query) => {
    await eventually(async () => {
      const compared = await compare(query);
      expect(compared.filter((each) => !isEqual(each, each.expected))).toEqual([]);
      expect(compared.length).toBeGreaterThan(300);
      expect(compared.find(({ path }) => path === 'figures.total_tickets')!.value).toBeGreaterThan(20);
      if (process.env['SHOW_FIGURES']) process.stdout.write(tableOf(query, compared));
    });
  },
);
