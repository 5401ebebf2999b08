import { expectNoPendingWork, signedIn, untilPasses } from '../ticketing.ts';
import type { ChaosApp } from '../chaos-app.ts';
import type { WebhookReceiver } from './webhooks.ts';

interface SentEvent {
  data: { ticket: { id: string } };
}

/** tickets, then notifications, is killed while rules run on new tickets, and time rules on existing ones. */
export function rules(running: () => ChaosApp, receiver: () => WebhookReceiver): void {
  const scenario = 'rules-kill';
  /** Time rules are due when this action starts, just before the kill. */
  const beforeTheFault = 5;
  let app: ChaosApp;
  let admin: Record<string, string>;
  const made: string[] = [];
  const path = '/rules';
  let endpoint: { id: string };

  async function aRule(name: string, body: object): Promise<void> {
    const rule = await app.mustCreate<{ id: string }>('/rules', { name, ...body }, admin);
    made.push(rule.id);
  }

  beforeAll(async () => {
    app = running();
    admin = await signedIn(app, 'admin@demo.test');
    receiver().received.set(path, new Map());
    const settings = { url: `http://${receiver().host}${path}`, events: ['ticket.closed'] };
    ({ endpoint } = await app.mustCreate<{ endpoint: { id: string } }>('/webhook-endpoints', settings, admin));
    const startsWith = (value: string) => ({ field: 'subject', op: 'starts_with', value });
    await aRule('On creation', {
      triggers: ['ticket_created'],
      condition: startsWith(`${scenario} new`),
      actions: [
        { type: 'add_note', content: 'Noted' },
        { type: 'send_reply', content: 'We are on it' },
        { type: 'add_tags', tags: ['ruled'] },
        { type: 'send_to_webhook', endpoint_id: endpoint.id },
      ],
    });
    await aRule('Overdue', {
      triggers: ['time_passed'],
      time: { since: 'created', hours: 1 },
      condition: startsWith(`${scenario} old`),
      actions: [
        { type: 'add_note', content: 'Overdue' },
        { type: 'set_priority', priority: 'urgent' },
      ],
    });
  }, 60_000);
  // The rules and the endpoint must not take part in other scenarios.
  afterAll(async () => {
    for (const id of made) await app.mustSend('PATCH', `/rules/${id}`, { is_active: false }, admin);
    await app.mustSend('DELETE', `/webhook-endpoints/${endpoint.id}`, undefined, admin);
    receiver().received.delete(path);
  });

  const createTicket = (kind: string, i: number) =>
    app.create<{ id: string }>('/public/tickets', {
      subject: `${scenario} ${kind} ${i}`,
      customer_email: `${scenario}-${kind}-${i}@example.com`,
    });

  const makeDue = (ids: string[]) =>
    app.rows(
      'tickets',
      `with aged as (update tickets set created_at = now() - interval '2 hours' where id = any($1) returning id)
      update rule_timers set check_at = now() from aged where ticket_id = aged.id`,
      [ids],
    );

  /** The number of rows that a query returns for each `key`. */
  async function countsOf(database: 'tickets' | 'notifications', query: string, parameters: unknown[]): Promise<Map<string, number>> {
    const rows = await app.rows<{ key: string; n: string }>(
      database,
      `select key, count(*) as n from (${query}) as found group by key`,
      parameters,
    );
    return new Map(rows.map(({ key, n }) => [key, Number(n)]));
  }

  /** The IDs of the events that the rule has sent, by ticket. A repeated request has the same ID. */
  function sentEvents(): Map<string, number> {
    const tickets = [...receiver().received.get(path)!.values()].map(([body]) => (JSON.parse(body!) as SentEvent).data.ticket.id);
    return new Map([...new Set(tickets)].map((id) => [id, tickets.filter((each) => each === id).length]));
  }
  const of = (counts: Map<string, number>, ids: string[]) => new Map(ids.map((id) => [id, counts.get(id) ?? 0]));

  it('tickets: each action of a rule happens once, with its run and its email', async () => {
    const old = (await Promise.all(Array.from({ length: 24 }, (_, i) => createTicket('old', i)))).map((ticket) => ticket!.id);
    const accepted = await app.whileKilling('tickets', async (i) => {
      const due = i === beforeTheFault ? makeDue(old) : undefined;
      const ticket = await createTicket('new', i);
      await due;
      return ticket;
    });
    const created = accepted.map(({ id }) => id);
    const commented = (ids: string[], content: string) =>
      countsOf('tickets', 'select ticket_id as key from comments where ticket_id = any($1) and content = $2 and rule is not null', [
        ids,
        content,
      ]);
    const once = (ids: string[]) => new Map(ids.map((id) => [id, 1]));
    await untilPasses(async () => {
      expect(await commented(created, 'Noted')).toEqual(once(created));
      expect(await commented(created, 'We are on it')).toEqual(once(created));
      expect(await commented(old, 'Overdue')).toEqual(once(old));
      const runs = 'select ticket_id as key from rule_runs where ticket_id = any($1)';
      expect(await countsOf('tickets', runs, [[...created, ...old]])).toEqual(once([...created, ...old]));
      const replies = `select ticket_id as key from emails where ticket_id = any($1) and kind = 'ticket_reply'`;
      expect(await countsOf('notifications', replies, [created])).toEqual(once(created));
      expect(of(sentEvents(), created)).toEqual(once(created));
    });
    const fields = await app.rows<object>('tickets', 'select distinct priority, tags from tickets where id = any($1)', [created]);
    expect(fields).toEqual([{ priority: 'medium', tags: ['ruled'] }]);
    expect(await app.rows('tickets', 'select distinct priority from tickets where id = any($1)', [old])).toEqual([{ priority: 'urgent' }]);
    await untilPasses(() => expectNoPendingWork(app));
  }, 240_000);

  it('notifications: each ticket is sent to the webhook of the rule as one event', async () => {
    const accepted = await app.whileKilling('notifications', (i) => createTicket('new', 100 + i));
    const created = accepted.map(({ id }) => id);
    await untilPasses(async () => expect(of(sentEvents(), created)).toEqual(new Map(created.map((id) => [id, 1]))));
    await untilPasses(() => expectNoPendingWork(app));
  }, 240_000);
}
