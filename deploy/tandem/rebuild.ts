import { rebuildDays, rebuildFromTickets } from '@tandem/analytics/src/rebuild/rebuild';
import type { AnalyticsSchema } from '@tandem/analytics/src/schema';
import { systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { connectRedis, renewVersion, versionKey } from '@tandem/messaging';
import { insertExport } from '@tandem/tickets/src/export/ticket-export.store';
import type { TicketsSchema } from '@tandem/tickets/src/schema';
import { sql } from 'kysely';
import { asReader, required } from './installation';

export interface RebuildOptions {
  /** Computes the days of the figures again from the stored facts, without requesting the tickets. */
  days: boolean;
}

/** Requests all tickets from the tickets service, for the figures of analytics. The running services do the work. */
export async function rebuildAnalytics(organization_ids: readonly string[], { days }: RebuildOptions): Promise<string> {
  await withDatabase<AnalyticsSchema>('ANALYTICS_DATABASE_URL', async (db) => {
    for (const organization_id of organization_ids) {
      const ctx = systemContext(organization_id, 'rebuild');
      await db.forTenant(ctx, (tx) => (days ? rebuildDays(tx, organization_id) : rebuildFromTickets(tx, ctx)));
    }
  });
  return `${organization_ids.length} organizations marked; the services begin within a minute.`;
}

/** Sends all tickets of connected organizations to integrations again: its copies, and the sync of each difference. */
export async function rebuildLinks(organization_ids: readonly string[]): Promise<string> {
  const connections = await asReader('integrations', async (client) => {
    const { rows } = await client.query<{ id: string; organization_id: string }>(
      'select id, organization_id from connections where organization_id = any($1)',
      [organization_ids],
    );
    return rows;
  });
  await withDatabase<TicketsSchema>('TICKETS_DATABASE_URL', async (db) => {
    for (const { id: request_id, organization_id } of connections)
      await db.forTenant({ organization_id }, (tx) => insertExport(tx, { organization_id, purpose: 'task_tool', request_id }));
  });
  return `${connections.length} connections marked; the services begin within a minute.`;
}

const ticketsPerTransaction = 200;

/**
 * Computes the rows of the search again, while the services run. Each transaction locks its tickets against changes. Then the organization
 * gets a new version, because gateways answer 304 for a search until it changes.
 */
export async function rebuildSearch(organization_ids: readonly string[]): Promise<string> {
  const redis = connectRedis(required('REDIS_URL'));
  const prefix = process.env.REDIS_PREFIX ?? 'tandem';
  let rebuilt = 0;
  try {
    await withDatabase<TicketsSchema>('TICKETS_DATABASE_URL', async (db) => {
      for (const organization_id of organization_ids) {
        rebuilt += await indexTickets(db, organization_id);
        await renewVersion(redis, versionKey(prefix, 'tickets', organization_id));
      }
    });
  } finally {
    redis.disconnect();
  }
  return `${rebuilt} tickets indexed.`;
}

/** Returns the number of tickets. */
async function indexTickets(db: Database<TicketsSchema>, organization_id: string): Promise<number> {
  let indexed = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const ids = await db.forTenant({ organization_id }, (tx) => indexNextTickets(tx, after));
    indexed += ids.length;
    if (ids.length < ticketsPerTransaction) break;
    after = ids.at(-1)!;
  }
  await db.forTenant({ organization_id }, (tx) =>
    sql`delete from ticket_texts x where not exists (select from tickets t where t.organization_id = x.organization_id and t.id = x.ticket_id)`.execute(
      tx,
    ),
  );
  return indexed;
}

async function indexNextTickets(tx: Parameters<typeof insertExport>[0], after: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tickets where id > ${after}::uuid order by id limit ${ticketsPerTransaction} for update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  // A comment cannot be added while its ticket is locked; these lock the text of existing ones.
  await sql`select from comments where ticket_id = any(${ids}::uuid[]) order by id for update`.execute(tx);
  await sql`delete from ticket_texts where ticket_id = any(${ids}::uuid[])`.execute(tx);
  await sql`
    insert into ticket_texts (organization_id, created_at, ticket_id, source_id, search_text, words)
    select organization_id, created_at, id, id, short_fields(t), search_words(coalesce(description, ''))
    from tickets t where id = any(${ids}::uuid[])`.execute(tx);
  await sql`
    insert into ticket_texts (organization_id, created_at, ticket_id, source_id, words)
    select t.organization_id, t.created_at, t.id, c.id, search_words(c.content)
    from comments c join tickets t on t.organization_id = c.organization_id and t.id = c.ticket_id where t.id = any(${ids}::uuid[])`.execute(
    tx,
  );
  return ids;
}

async function withDatabase<S>(variable: string, work: (db: Database<S>) => Promise<void>): Promise<void> {
  const db = new Database<S>({ url: required(variable), max: 2, applicationName: 'tandem-command', statementTimeoutMs: 60_000 });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

/** `database`: the identity database; default: the one in use. */
export const findOrganizations = (database?: string): Promise<string[]> =>
  asReader(
    'identity',
    async (client) => (await client.query<{ id: string }>('select id from organizations order by id')).rows.map(({ id }) => id),
    database,
  );
