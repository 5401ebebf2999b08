import type { ChaosApp } from '../chaos-app.ts';
import { lockRows, untilStatementsWait } from '../interrupted-work.ts';
import { createTickets, expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';

/** Notifications is killed while it claims emails that have waited until they were due. Their jobs have ended by then. */
export function delayedEmails(running: () => ChaosApp): void {
  it('notifications: every email about a new status is sent once', async () => {
    const app = running();
    const admin = await signedIn(app, 'admin@demo.test');
    const ids = await createTickets(app, admin, { scenario: 'delayed', customer_email: 'delayed@customer.test', count: 20 });
    await untilPasses(() => expectNoPendingWork(app));
    await app.mustCreate('/tickets/bulk', { ids, changes: { status: 'waiting_for_customer' } }, admin);
    const emails = "from emails where kind = 'ticket_waiting' and ticket_id = any($1)";
    await untilPasses(async () => expect(await app.rows('notifications', `select id ${emails}`, [ids])).toHaveLength(ids.length));
    const unblock = await lockRows(app, `select id ${emails} for update`, [ids], 'notifications');
    await untilStatementsWait(app, 1, 'notifications');
    await app.killAndRestart('notifications', unblock);
    let sent: { message_id: string }[] = [];
    await untilPasses(async () => {
      sent = await app.rows('notifications', `select state, attempts, message_id ${emails}`, [ids]);
      expect(sent).toEqual(ids.map(() => ({ state: 'sent', attempts: 1, message_id: expect.any(String) as string })));
    });
    const own = new Set(sent.map(({ message_id }) => message_id));
    const arrived = (await app.mails()).map(({ message_id }) => message_id).filter((id) => own.has(id));
    expect(arrived.sort()).toEqual([...own].sort());
  }, 180_000);
}
