import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { serviceNames } from '@tandem/contracts';
import type { ChaosApp } from '../chaos-app.ts';
import { lockRows, untilStatementsWait } from '../interrupted-work.ts';
import { expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';

/** Tickets is killed while it deletes a customer's tickets, and notifications while it deletes the emails to the customer. */
export function erasures(running: () => ChaosApp): void {
  let app: ChaosApp;
  let admin: Record<string, string>;
  const address = 'erased@customer.test';

  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
  }, 60_000);

  it('tickets and notifications: a customer is erased, and the receipt completed, exactly once', async () => {
    const ticket = await app.mustCreate<{ id: string }>('/tickets', { subject: 'To be erased', customer_email: address }, admin);
    await app.mustCreate(`/tickets/${ticket.id}/comments`, { content: 'A reply' }, admin);
    await untilPasses(() => expectNoPendingWork(app));
    const unblockTickets = await lockRows(app, 'select from comments where ticket_id = $1 for update', [ticket.id]);
    // Notifications deletes from it before it deletes emails, which the restart of notifications updates.
    const unblockAttempts = await lockRows(app, 'lock table webhook_attempts in access exclusive mode', [], 'notifications');
    const erasure = await app.mustCreate<{ id: string }>('/erasures', { email: address, delay_hours: 0 }, admin);
    await untilStatementsWait(app, 1, 'tickets');
    await app.killAndRestart('tickets', unblockTickets);
    await untilStatementsWait(app, 1, 'notifications');
    await app.killAndRestart('notifications', unblockAttempts);
    await untilPasses(async () => {
      const query = 'select state, sealed_email, answers from erasures where id = $1';
      const [row] = await app.rows<{ state: string; sealed_email: string | null; answers: Record<string, object> }>('tickets', query, [
        erasure.id,
      ]);
      expect(row).toMatchObject({ state: 'done', sealed_email: null });
      expect(Object.keys(row!.answers).sort()).toEqual([...serviceNames].sort());
      expect(row!.answers['tickets']).toMatchObject({ tickets: 1, comments: 1 });
    });
    expect(await app.rows('notifications', 'select 1 from emails where to_address = $1', [address])).toEqual([]);
    await untilPasses(() => expectNoPendingWork(app));
    await expectNoTraces(app, address);
    // From the audit log: the events themselves are deleted a minute after the tickets.
    await untilPasses(async () => {
      const query = "select type from audit_log where type like 'erasure.%' order by id";
      const audited = await app.rows<{ type: string }>('identity', query, []);
      expect(audited.map(({ type }) => type)).toEqual(['erasure.requested', 'erasure.finished']);
    });
  }, 300_000);
}

/** The logs of all processes, also of the killed ones, and a new backup do not contain the address. */
async function expectNoTraces(app: ChaosApp, address: string): Promise<void> {
  // The event that requested the erasure is deleted by the sweep.
  await untilPasses(async () =>
    expect(await app.rows('tickets', 'select 1 from outbox where position($1 in envelope::text) > 0', [address])).toEqual([]),
  );
  const backup = join(app.directory, 'backup-after-erasure');
  await app.command('tandem', 'backup', backup);
  const dumped = filesWith(backup, 'demo.test');
  expect(dumped.length).toBeGreaterThan(0);
  expect(filesWith(backup, address)).toEqual([]);
  const logs = join(app.directory, 'logs');
  expect(readdirSync(logs).length).toBeGreaterThanOrEqual(serviceNames.length);
  expect(filesWith(logs, address)).toEqual([]);
}

/** The files of a folder that contain the text, compressed or not. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text);
    });
