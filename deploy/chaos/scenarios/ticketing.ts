import {
  countEvents,
  expectMatchesLastEvent,
  expectGaplessNumbers,
  expectNoPendingWork,
  expireTimers,
  nearlyExpireTimers,
  signedIn,
  ticketsOf,
  untilPasses,
  like,
} from '../ticketing.ts';
import type { ChaosApp } from '../chaos-app.ts';
import { expectNotifiedOnce, ageEarlierMails, setPreferences, type Team } from '../notifications.ts';

/** Processes and servers are killed while tickets are handled. */
export function ticketing(running: () => ChaosApp): void {
  let app: ChaosApp;
  let admin: Record<string, string>;
  let organization_id: string;
  let team: Team;
  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
    const session = (await (await fetch(`${app.api}/auth/session`, { headers: admin })).json()) as {
      data: { profile: { organization_id: string } };
    };
    ({ organization_id } = session.data.profile);
    await app.mustSend('PATCH', `/organizations/${organization_id}`, { auto_assign: true, business_hours: null }, admin);
    const policy = { name: 'Under fire', priority_level: 'high', escalation_enabled: true };
    await app.mustCreate('/sla-policies', { ...policy, response_time_hours: 1, resolution_time_hours: 2, escalation_time_hours: 2 }, admin);
    team = await setPreferences(app, admin);
  }, 120_000);

  const timed = 8;
  const warned = 4;
  const commented = 5;
  const pairs = 8;
  /** The actions up to this index have been answered, or are running, when the victim is killed. */
  const beforeTheFault = 5;

  /** Creates tickets for the changes of a scenario: some for SLA timers, some for comments, and duplicates for a merge. */
  async function prepare(scenario: string) {
    await ageEarlierMails(app);
    const make = (kind: string, i: number, more: object = {}) =>
      app.mustCreate<{ id: string }>(
        '/tickets',
        { subject: `${scenario} ${kind} ${i}`, customer_email: `${scenario}-${kind}-${i}@example.com`, priority: 'high', ...more },
        admin,
      );
    const many = async (kind: string, count: number, more: object = {}) =>
      (await Promise.all(Array.from({ length: count }, (_, i) => make(kind, i, more)))).map((ticket) => ticket.id);
    const low = { priority: 'low' };
    const found = {
      timed: await many('timed', timed),
      warned: await many('warned', warned),
      commented: await many('commented', commented, low),
      kept: await many('pair', pairs, low),
      duplicates: await many('pair', pairs, low),
    };
    // Wait for the automatic assignment, which is a change too: a merge before it would be a different case.
    await untilPasses(async () => {
      const waiting = await ticketsOf<{ assigned_to: string | null }>(app, scenario, 'assigned_to');
      expect(waiting.filter(({ assigned_to }) => assigned_to === null)).toEqual([]);
    });
    return found;
  }

  /** In rotation: the customer replies, a note mentions the manager, staff reply. With five tickets, each ticket gets all kinds. */
  function addComment(scenario: string, commented: string[], i: number, content: string): Promise<unknown> {
    const to = i % commented.length;
    if (i % 3 === 0)
      return app.create(`/public/tickets/${commented[to]}/comments`, { content, email: `${scenario}-commented-${to}@example.com` });
    const note = i % 3 === 1 ? { is_internal: true, mentions: [team.idOf('manager@demo.test')] } : {};
    return app.create(`/tickets/${commented[to]}/comments`, { content, ...note }, admin);
  }

  describe('a process is killed while tickets are handled', () => {
    it.each(['tickets', 'notifications', 'nats', 'postgres', 'mailbox'] as const)(
      '%s: ticket numbers have no gap, and each comment, merge, assignment, SLA event, notification and email exists once',
      async (victim) => {
        const scenario = `ticketing-${victim}`;
        const { timed, warned, commented, kept, duplicates } = await prepare(scenario);
        const created: string[] = [];
        const comments: string[] = [];
        const merged: string[] = [];
        await app.whileKilling(victim, async (i) => {
          const time = i === beforeTheFault ? Promise.all([expireTimers(app, timed), nearlyExpireTimers(app, warned)]) : undefined;
          const ticket = app.create<{ id: string }>('/public/tickets', {
            subject: `${scenario} new ${i}`,
            customer_email: `${scenario}-${i}@example.com`,
          });
          const content = `${scenario} comment ${i}`;
          const comment = addComment(scenario, commented, i, content);
          const duplicate = i % 4 === 0 ? duplicates[i / 4] : undefined;
          const merge = duplicate && app.create(`/tickets/${duplicate}/merge`, { into_id: kept[i / 4] }, admin);
          const accepted = await ticket;
          if (accepted) created.push(accepted.id);
          await time;
          if (await comment) comments.push(content);
          if (duplicate && (await merge)) merged.push(duplicate);
          return accepted;
        });
        expect([created.length > 10, comments.length > 10, merged.length > 1]).toEqual([true, true, true]);

        await expectOnce(scenario, { created, comments, merged });
        await untilPasses(() => expectClocks(scenario, timed, warned));
        await untilPasses(() => expectAssigned(scenario));
        // First, because the other check reads all emails.
        await untilPasses(() => expectNoPendingWork(app));
        await untilPasses(() => expectNotifiedOnce(app, scenario, victim, team));
        await untilPasses(() => expectNoPendingWork(app));
        await expectGaplessNumbers(app, organization_id);
        await expectMatchesLastEvent(app, scenario);
      },
      300_000,
    );
  });

  /** Accepted changes exist exactly once. Others may exist, because their response may have been lost, but not twice. */
  async function expectOnce(scenario: string, accepted: { created: string[]; comments: string[]; merged: string[] }): Promise<void> {
    const tickets = await ticketsOf<{ id: string; subject: string; merged_into_id: string | null }>(
      app,
      scenario,
      'id, subject, merged_into_id',
    );
    expect(accepted.created.filter((id) => !tickets.some((ticket) => ticket.id === id))).toEqual([]);
    const fresh = tickets.filter(({ subject }) => subject.includes(' new '));
    expect(new Set(fresh.map(({ subject }) => subject)).size).toBe(fresh.length);

    const comments = await app.rows<{ content: string }>(
      'tickets',
      'select content from comments where content like $1',
      like(`${scenario} comment`),
    );
    const contents = comments.map(({ content }) => content);
    expect(new Set(contents).size).toBe(contents.length);
    expect(accepted.comments.filter((content) => !contents.includes(content))).toEqual([]);
    const announced = await countEvents(app, scenario, 'ticket.comment.added');
    expect([...announced.values()].reduce((sum, n) => sum + n, 0)).toBe(contents.length);

    const gone = tickets.filter(({ merged_into_id }) => merged_into_id !== null).map(({ id }) => id);
    expect(accepted.merged.filter((id) => !gone.includes(id))).toEqual([]);
    expect(await countEvents(app, scenario, 'ticket.merged')).toEqual(new Map(gone.map((id) => [id, 1])));
  }

  /** Overdue tickets have one breach per timer and one escalation, tickets close to their due times one warning per timer. */
  async function expectClocks(scenario: string, timed: string[], warned: string[]): Promise<void> {
    const each = (ids: string[]) => new Map(ids.flatMap((id) => ['response', 'resolution'].map((clock) => [`${id} ${clock}`, 1] as const)));
    const once = (found: Map<string, number>) => new Map([...found].sort());
    expect(once(await countEvents(app, scenario, 'ticket.sla.breached'))).toEqual(once(each(timed)));
    expect(once(await countEvents(app, scenario, 'ticket.sla.warning'))).toEqual(once(each(warned)));
    expect(once(await countEvents(app, scenario, 'ticket.escalated'))).toEqual(once(new Map(timed.map((id) => [id, 1]))));
  }

  /** Every unresolved ticket has an assignee and was assigned exactly once. */
  async function expectAssigned(scenario: string): Promise<void> {
    const tickets = await ticketsOf<{ id: string; assigned_to: string | null }>(app, scenario, 'id, assigned_to');
    expect(tickets.filter(({ assigned_to }) => assigned_to === null)).toEqual([]);
    const given = await countEvents(app, scenario, 'ticket.assigned');
    expect(tickets.filter(({ id }) => given.get(id) !== 1)).toEqual([]);
  }
}
