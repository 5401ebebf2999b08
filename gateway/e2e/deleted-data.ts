import { serviceNames, type ServiceName } from '@tandem/contracts';
import { listDurables, Nats } from '@tandem/messaging';
import { eventually, testServers } from '@tandem/testing';
import pg from 'pg';
import type { TestApp } from './test-app';

/** Connects to a service's database as the superuser, who sees the rows of every organization. */
export async function asSuperuser<T>(app: TestApp, service: ServiceName, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = new URL(testServers().pgAdminUrl);
  url.pathname = new URL(app.env[`${service.toUpperCase()}_DATABASE_URL`]!).pathname;
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The record of the deletion: an id and times. */
const records = ['organization_deletions'];

/** How many rows of each table contain one of the texts in any column. */
export const rowsWith = (app: TestApp, service: ServiceName, texts: string[]): Promise<Record<string, number>> =>
  asSuperuser(app, service, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const found: Record<string, number> = {};
    for (const { name } of tables.filter(({ name }) => !records.includes(name))) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from ${pg.escapeIdentifier(name)} t where exists (select from unnest($1::text[]) u(x) where t::text like '%' || x || '%')`,
        [texts],
      );
      if (rows[0]!.count > 0) found[name] = rows[0]!.count;
    }
    return found;
  });

/** Runs the passes in all services. Needs a short SWEEP_MS. */
export async function finishDeletion(app: TestApp, id: string): Promise<void> {
  await allIsConsumed(app);
  for (const service of serviceNames) await finishPasses(app, service, id);
}

/** Passes are minutes to a day apart, so that events which are in flight have arrived by the last one. */
async function allIsConsumed(app: TestApp): Promise<void> {
  const nats = app.services.tickets.app.get(Nats);
  const published = () =>
    Promise.all(
      serviceNames.map((service) =>
        asSuperuser(app, service, async (client) => {
          const { rows } = await client.query<{ all: string; waiting: string }>(
            'select count(*) as all, count(*) filter (where published_at is null) as waiting from outbox',
          );
          return rows[0]!;
        }),
      ),
    );
  await eventually(async () => {
    const before = await published();
    const busy = (await listDurables(nats)).filter(({ pending, unfinished }) => pending + unfinished > 0);
    // A consumer that has finished since may have added events.
    expect([before.filter(({ waiting }) => waiting !== '0'), busy, await published()]).toEqual([[], [], before]);
  });
}

const finishPasses = (app: TestApp, service: ServiceName, id: string): Promise<void> =>
  asSuperuser(app, service, (client) =>
    eventually(async () => {
      await client.query(`update organization_deletions set next_pass_at = now() where organization_id = $1 and completed_at is null`, [
        id,
      ]);
      const { rows } = await client.query(`select passes, completed_at from organization_deletions where organization_id = $1`, [id]);
      expect(rows).toEqual([{ passes: 4, completed_at: expect.any(Date) }]);
    }),
  );
