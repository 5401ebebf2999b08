import { readdir } from 'node:fs/promises';
import type { ChaosApp } from '../chaos-app.ts';
import { filesOnDisk, lockRows, untilStatementsWait } from '../interrupted-work.ts';
import { expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';

/** identity is killed while it sends its part of an export, and then tickets while it writes the archive. Needs EXPORTS_DIR. */
export function exports(running: () => ChaosApp): void {
  let app: ChaosApp;
  let admin: Record<string, string>;

  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
  }, 60_000);

  const temporary = () => readdir(app.env.EXPORTS_DIR!);
  /** Both read these tables in the middle of their work. */
  const block = (database: string, table: string) => lockRows(app, `lock table ${table} in access exclusive mode`, [], database);

  it('identity and tickets: every line arrives once, and the archive is stored once', async () => {
    const [unblockPart, unblockArchive] = [await block('identity', 'wording'), await block('tickets', 'views')];
    const created = await app.mustCreate<{ id: string }>('/exports', { has_files: true }, admin);
    await untilStatementsWait(app, 1, 'identity');
    await app.killAndRestart('identity', unblockPart);
    await untilStatementsWait(app, 1, 'tickets');
    expect(await temporary()).toHaveLength(1);
    await app.killAndRestart('tickets', unblockArchive);
    let pieces: string[] = [];
    await untilPasses(async () => {
      const query = 'select state, pieces from exports where id = $1';
      const [row] = await app.rows<{ state: string; pieces: { id: string }[] }>('tickets', query, [created.id]);
      expect(row!.state).toBe('done');
      pieces = row!.pieces.map(({ id }) => id);
    });
    expect(pieces).toHaveLength(1);
    expect(await filesOnDisk(app)).toEqual(expect.arrayContaining(pieces));
    await untilPasses(async () => expect(await temporary()).toEqual([]));
    const finished = await app.rows(
      'tickets',
      `select 1 from outbox where type = 'export.changed' and subject = $1 and envelope #>> '{data,what}' = 'finished'`,
      [created.id],
    );
    expect(finished).toHaveLength(1);
    await app.mustSend('DELETE', `/exports/${created.id}`, undefined, admin);
    await untilPasses(async () => expect(await filesOnDisk(app)).not.toEqual(expect.arrayContaining(pieces)));
    await untilPasses(() => expectNoPendingWork(app));
  }, 300_000);
}
