import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { inDatabase } from '../seed.ts';
import type { Report } from '../report.ts';
import { ask, expect } from '../session.ts';
import * as cases from './cases.ts';
import { settled } from './scale-cases.ts';

const tickets = 2_000;
const connections = 8;
const databases = ['tandem_identity', 'tandem_tickets', 'tandem_notifications', 'tandem_integrations', 'tandem_analytics'] as const;

/** Bytes per table, with its indexes and its long values. */
type Sizes = Map<string, number>;

/** Measures what a ticket occupies in each database: created by staff, answered once, without files, emails sent, events published. */
export async function storageSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal);
  try {
    const before = await sizes(system);
    await step(`${tickets} tickets with an answer`, () => createAll(system));
    await settled(system);
    const after = await sizes(system);
    return report(before, after);
  } finally {
    await system.stop();
  }
}

async function createAll(system: BenchSystem): Promise<void> {
  const session = await cases.writerOf(system);
  const [create] = cases.createOfProduct(session);
  const post = async <T>(path: string, body: string): Promise<T> => {
    const answer = await ask<T>(system.gatewayOrigin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session.headers },
      body,
    });
    expect(`POST ${path}`, answer.status, 201);
    return answer.data;
  };
  let left = tickets;
  const work = async () => {
    while (left-- > 0) {
      const { id } = await post<{ id: string }>(create!.path, create!.body!);
      await post(`/api/v1/tickets/${id}/comments`, JSON.stringify({ content: 'Thank you, we will send another one today. '.repeat(5) }));
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
}

async function sizes(system: BenchSystem): Promise<Sizes> {
  const found: Sizes = new Map();
  for (const database of databases) {
    const rows = await inDatabase(system.databaseUrl(database), async (client) => {
      await client.query('vacuum');
      return (
        await client.query<{ table: string; bytes: string }>(
          'select relname as "table", pg_total_relation_size(relid) as bytes from pg_stat_user_tables',
        )
      ).rows;
    });
    for (const { table, bytes } of rows) found.set(`${database} ${table}`, Number(bytes));
  }
  return found;
}

function report(before: Sizes, after: Sizes): Report {
  const perTicket = [...after]
    .map(([table, bytes]) => ({ table, bytes: Math.round((bytes - (before.get(table) ?? 0)) / tickets) }))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes);
  const total = (database: string) =>
    perTicket.filter(({ table }) => table.startsWith(`${database} `)).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    tables: [
      {
        title: 'Bytes per ticket with one answer, indexes included',
        columns: ['database', 'bytes'],
        rows: databases.map((database) => [database, String(total(database))]),
      },
      { title: 'By table', columns: ['table', 'bytes'], rows: perTicket.map(({ table, bytes }) => [table, String(bytes)]) },
    ],
    figures: { perTicket },
  };
}
