import { Database, lockName } from '@tandem/db';
import { freshDatabase, testServers } from '@tandem/testing';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { startPgBouncer, throughPgBouncer, type PgBouncer } from './local/pgbouncer.ts';

let pgBouncer: PgBouncer;
let db: Database;
beforeAll(async () => {
  const { url } = await freshDatabase('analytics');
  const { username, password } = new URL(url);
  // Fewer connections than callers, so that each transaction runs on another one.
  pgBouncer = await startPgBouncer({ postgres: testServers().pgAdminUrl, passwords: { [username]: password }, poolSize: 2 });
  db = new Database({ url: throughPgBouncer(url, pgBouncer), max: 8 });
});
afterAll(async () => {
  await db?.close();
  await pgBouncer?.stop();
});

const organization = sql<{ id: string; pid: number }>`select current_setting('app.organization_id', true) as id, pg_backend_pid() as pid`;

describe('a service behind PgBouncer in transaction mode', () => {
  it('sees its own organization in each transaction and read, while many share two connections', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID());
    const pids = new Set<number>();
    await Promise.all(
      ids.flatMap((organization_id) =>
        [db.forTenant.bind(db), db.readTenant.bind(db)].map((inTenant) =>
          inTenant({ organization_id }, async (tx) => {
            const answers = await Promise.all([organization.execute(tx), organization.execute(tx)]);
            for (const { rows } of answers) {
              expect(rows[0]!.id).toBe(organization_id);
              pids.add(rows[0]!.pid);
            }
          }),
        ),
      ),
    );
    expect(pids.size).toBeLessThanOrEqual(2);
    const { rows } = await db.asSystem('after them', (tx) => organization.execute(tx));
    expect(rows[0]!.id || null).toBeNull();
  });

  it('holds named locks until the end of the transaction', async () => {
    const order: string[] = [];
    const held = Promise.withResolvers<void>();
    const first = db.asSystem('lock', async (tx) => {
      await lockName(tx, 'pgbouncer');
      held.resolve();
      await sql`select pg_sleep(0.2)`.execute(tx);
      order.push('first');
    });
    await held.promise;
    await db.asSystem('wait for it', (tx) => lockName(tx, 'pgbouncer').then(() => void order.push('second')));
    await first;
    expect(order).toEqual(['first', 'second']);
  });

  it('has the timeouts of its role, which migrate has set', async () => {
    const settings = sql<{ statement: string; idle: string }>`
      select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`;
    const { rows } = await db.asSystem('timeouts', (tx) => settings.execute(tx));
    expect(rows).toEqual([{ statement: '10s', idle: '1min' }]);
  });
});
