import type { ChaosApp } from '../chaos-app.ts';
import { lockRows, untilStatementsWait } from '../interrupted-work.ts';
import { expectCombinedFiguresOfTickets, expectFiguresOfTickets, readCombined } from '../recount.ts';
import { createTickets, signedIn, untilPasses } from '../ticketing.ts';

/** Analytics is killed while it counts events and while it rebuilds. */
export function analytics(running: () => ChaosApp): void {
  let app: ChaosApp;
  let organization_id: string;
  /** A ticket in the middle of the organization's history, in the order in which a rebuild reads them. */
  let middle: string;
  beforeAll(async () => {
    app = running();
    const tickets = await app.rows<{ id: string; organization_id: string }>(
      'tickets',
      'select id, organization_id from tickets order by id',
      [],
    );
    organization_id = tickets[0]!.organization_id;
    middle = tickets[tickets.length >> 1]!.id;
    await untilPasses(() => expectFiguresOfTickets(app, organization_id));
  }, 120_000);

  const countEvents = async (database: 'tickets' | 'analytics'): Promise<number> => {
    const events =
      database === 'tickets' ? "outbox where type = 'ticket.updated'" : "inbox where consumer = 'analytics-ticket-updated-facts'";
    return (await app.rows<{ n: number }>(database, `select count(*)::integer as n from ${events}`, []))[0]!.n;
  };

  it('analytics is killed in the middle of 500 events: each counts once', async () => {
    const admin = await signedIn(app, 'admin@demo.test');
    const ids = await createTickets(app, admin, { scenario: 'Chaos', customer_email: 'c@example.com', count: 100 });
    const [published, handled] = [await countEvents('tickets'), await countEvents('analytics')];
    const changeAll = async (...rounds: object[]) => {
      for (const changes of rounds) await app.mustCreate('/tickets/bulk', { ids, changes }, admin);
    };
    await changeAll({ priority: 'urgent' }, { add_tags: ['chaos'] });
    await untilPasses(async () => expect(await countEvents('analytics')).toBeGreaterThan(handled));
    // Analytics stops at this ticket, so the other events are pending when it is killed, however fast the machine is.
    const unlock = await lockRows(app, 'select from ticket_facts where ticket_id = $1 for update', [ids[50]], 'analytics');
    await changeAll({ status: 'resolved' }, { status: 'open' }, { remove_tags: ['chaos'] });
    await untilStatementsWait(app, 1, 'analytics');
    const total = (await countEvents('tickets')) - published;
    expect(total).toBe(500);
    expect((await countEvents('analytics')) - handled).toBeLessThan(total);
    await app.killAndRestart('analytics', unlock);
    await untilPasses(async () => expect((await countEvents('analytics')) - handled).toBe(total));
    await untilPasses(() => expectFiguresOfTickets(app, organization_id));
  }, 240_000);

  const wrongRollUps = 'update day_roll_ups set backlog_growth = backlog_growth + 1 where organization_id = $1 and $2::uuid is not null';

  /** For each step of a rebuild: what is wrong before it, and the rows whose lock stops it halfway. */
  const steps = {
    history: {
      options: [],
      wrong: [
        'delete from ticket_facts where organization_id = $1 and ticket_id <> $2',
        'delete from ticket_moments where organization_id = $1 and ticket_id <> $2',
        `update organizations set total = f.total, open = f.open, resolved = f.resolved, unassigned = 0 from (
           select count(*) as total, count(*) filter (where status in ('open', 'in_progress')) as open, count(*) filter (where status = 'resolved') as resolved
           from ticket_facts where organization_id = $1 and ticket_id = $2) f where organization_id = $1`,
        'delete from day_roll_ups where organization_id = $1 and $2::uuid is not null',
      ],
      lock: 'select from ticket_facts where organization_id = $1 and ticket_id = $2 for update',
    },
    days: {
      options: ['--days'],
      wrong: [
        `update ticket_facts set created_day = '2020-01-01', created_hour = 0 where organization_id = $1 and ticket_id <> $2`,
        wrongRollUps,
      ],
      lock: 'select from ticket_facts where organization_id = $1 and ticket_id = $2 for update',
    },
    roll_ups: {
      options: ['--days'],
      wrong: [wrongRollUps],
      lock: `select from day_roll_ups where organization_id = $1 and dimension = 'all' and day = (
        select created_day from ticket_facts where organization_id = $1 and ticket_id = $2) for update`,
    },
  };

  it.each(['history', 'days', 'roll_ups'] as const)(
    'analytics is killed in the step %s of a rebuild: the next process finishes it',
    async (name) => {
      const { options, wrong, lock } = steps[name];
      const values = [organization_id, middle];
      const admin = await signedIn(app, 'admin@demo.test');
      for (const statement of wrong) await app.rows('analytics', statement, values);
      await expect(expectFiguresOfTickets(app, organization_id)).rejects.toThrow();
      const unlock = await lockRows(app, lock, values, 'analytics');
      await app.command('tandem', 'rebuild', 'analytics', organization_id, ...options);
      await untilStatementsWait(app, 1, 'analytics');
      expect(await app.rows('analytics', 'select step from rebuilds', [])).toEqual([{ step: name }]);
      // Figures of two filters are marked until they are exact again.
      const marks = async () => (await readCombined(app, admin)).map(({ is_rebuilding }) => is_rebuilding);
      expect(await marks()).not.toContain(false);
      await app.killAndRestart('analytics', async () => {
        await unlock();
        expect(await app.rows('analytics', 'select step from rebuilds', [])).toEqual([{ step: name }]);
      });
      await untilPasses(() => expectFiguresOfTickets(app, organization_id));
      await expectCombinedFiguresOfTickets(app, organization_id, admin);
    },
    120_000,
  );
}
