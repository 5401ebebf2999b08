import type { ChaosApp } from '../chaos-app.ts';
import { lockRows, untilStatementsWait } from '../interrupted-work.ts';
import { expectCombinedFiguresOfTickets, expectFiguresOfTickets, readCombined } from '../recount.ts';
import { signedIn, untilPasses } from '../ticketing.ts';

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

  const eventsTotal = 1_500;
  const eventsBefore = 400;
  const countEvents = async (database: 'tickets' | 'analytics'): Promise<number> => {
    const events =
      database === 'tickets' ? "outbox where type = 'ticket.updated'" : "inbox where consumer = 'analytics-ticket-updated-facts'";
    return (await app.rows<{ n: number }>(database, `select count(*)::integer as n from ${events}`, []))[0]!.n;
  };

  async function createTickets(group: number, count: number, admin: Record<string, string>): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const ticket = await app.create<{ id: string }>(
        '/tickets',
        { subject: `Chaos ${group} ${n}`, customer_email: 'c@example.com' },
        admin,
      );
      ids.push(ticket!.id);
    }
    return ids;
  }

  it('analytics is killed in the middle of 1,500 events: each counts once', async () => {
    const admin = await signedIn(app, 'admin@demo.test');
    const groups = await Promise.all(Array.from({ length: 4 }, (_, n) => createTickets(n, 25, admin)));
    const rounds: object[] = [
      { priority: 'urgent' },
      { add_tags: ['chaos'] },
      { status: 'resolved' },
      { status: 'open' },
      { priority: 'low' },
      { remove_tags: ['chaos'] },
      { priority: 'high' },
      { status: 'closed' },
      { status: 'in_progress' },
      { priority: 'medium' },
    ];
    const [published, handled] = [await countEvents('tickets'), await countEvents('analytics')];
    const changed = Promise.all(
      groups.map(async (group) => {
        for (let round = 0; round < eventsTotal / 100; round++) {
          const changes = rounds[round % rounds.length];
          expect(await app.create('/tickets/bulk', { ids: group, changes }, admin)).toBeDefined();
        }
      }),
    );
    changed.catch(() => undefined); // awaited below
    await untilPasses(async () => expect(await countEvents('analytics')).toBeGreaterThan(handled + eventsBefore));
    expect((await countEvents('analytics')) - handled).toBeLessThan(eventsTotal);
    await app.killAndRestart('analytics');
    await changed;
    const total = (await countEvents('tickets')) - published;
    expect(total).toBeGreaterThanOrEqual(eventsTotal);
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
