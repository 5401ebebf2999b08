import { syncTicketTask, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => expect(sync.integrations.clickup.violations).toEqual([]));

type Pair = Awaited<ReturnType<SyncFixture['aLinkedTicket']>>;
async function sweep({ organization }: Fixture): Promise<void> {
  await sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ next_check_at: new Date().toISOString() }).execute(),
  );
  await eventually(async () => {
    const [integration] = await sync.integrations.findIntegrations(organization);
    expect(Date.parse(integration!.next_check_at)).toBeGreaterThan(Date.now() + 60_000);
  });
}
const received = async ({ id }: Pick<Ticket, 'id'>) =>
  (await sync.integrations.events(id)).filter(({ type }) => type === 'task.comment_received').map(({ data }) => data.content as string);
const commentReads = () => sync.calls.filter((call) => call === 'GET /v2/task/{task_id}/comment').length;

/** Steps applied to tickets and their tasks. Each ends when all of its effects are processed. */
const steps = {
  'a lost comment': async (fixture: Fixture, pairs: Pair[]) => {
    await sync.integrations.clickup.deliveriesSettled();
    sync.integrations.clickup.dropDeliveries(2 * pairs.length);
    for (const { task_id } of pairs) sync.integrations.clickup.person.comment(task_id, 'Lost on the way');
    await whenAllIdle(fixture, pairs);
  },
  'a comment': async (fixture: Fixture, pairs: Pair[]) => {
    for (const { task_id } of pairs) sync.integrations.clickup.person.comment(task_id, 'Delivered');
    for (const { ticket } of pairs) await eventually(async () => expect(await received(ticket)).toContain('Delivered'));
    await whenAllIdle(fixture, pairs);
  },
  'our write': async (fixture: Fixture, pairs: Pair[]) => {
    const changed = await Promise.all(
      pairs.map(({ ticket }) => sync.tickets.change(ticket.id, { subject: `Written ${Date.now()} ${ticket.ticket_number}` })),
    );
    for (const [i, { task_id }] of pairs.entries())
      await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe(changed[i]!.subject));
    await whenAllIdle(fixture, pairs);
  },
  'our comment': async (fixture: Fixture, pairs: Pair[]) => {
    const before = pairs.map(({ task_id }) => sync.integrations.clickup.comments(task_id).length);
    await Promise.all(pairs.map(({ ticket }) => sync.tickets.comment(ticket.id, 'From the ticket')));
    for (const [i, { task_id }] of pairs.entries())
      await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(before[i]! + 1));
    await whenAllIdle(fixture, pairs);
  },
  'a sweep': async (fixture: Fixture, pairs: Pair[]) => {
    await sweep(fixture);
    await whenAllIdle(fixture, pairs);
  },
} as const;
type Step = keyof typeof steps;

async function whenAllIdle(fixture: Fixture, pairs: Pair[]): Promise<void> {
  for (const { ticket } of pairs) await sync.whenIdle(fixture, ticket);
}

/** All permutations of the steps. */
function orders(names: Step[]): Step[][] {
  if (names.length === 0) return [[]];
  return names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest]));
}

/** A ticket for each order, whose steps run one after another: those of all tickets with the same next step together. */
async function runOrders(fixture: Fixture, all: Step[][]): Promise<{ order: Step[]; pair: Pair }[]> {
  const cases = await Promise.all(all.map(async (order) => ({ order, pair: await sync.aLinkedTicket(fixture) })));
  for (const i of all[0]!.keys())
    for (const [step, group] of Map.groupBy(cases, ({ order }) => order[i]!))
      await steps[step](
        fixture,
        group.map(({ pair }) => pair),
      );
  return cases;
}

it.each([
  [['a lost comment', 'our write', 'a comment', 'our comment']],
  [['a lost comment', 'our write', 'our comment', 'a sweep']],
] satisfies [Step[]][])(
  'a comment whose webhook is lost reaches the ticket with the next sweep, in every order of %j',
  async (names) => {
    const missing: Step[][] = [];
    // A sweep checks all tickets of a list, so only tickets with the same turn for it share one.
    for (const all of Map.groupBy(orders(names), (order) => order.indexOf('a sweep')).values()) {
      const fixture = await sync.aFixture();
      const cases = await runOrders(fixture, all);
      await sweep(fixture);
      for (const { order, pair } of cases) {
        await sync.whenSynced(fixture, pair.ticket);
        if ((await received(pair.ticket)).filter((text) => text === 'Lost on the way').length !== 1) missing.push(order);
      }
    }
    expect(missing).toEqual([]);
  },
  180_000,
);

it('our own write costs one read of the comments, in the next check of the list; its echo costs none', async () => {
  const fixture = await sync.aFixture();
  const pair = await sync.aLinkedTicket(fixture);
  await steps['our write'](fixture, [pair]);
  await steps['our write'](fixture, [pair]);
  expect(commentReads()).toBe(0);
  await steps['a sweep'](fixture, [pair]);
  expect(commentReads()).toBe(1);
  await steps['a sweep'](fixture, [pair]);
  expect(commentReads()).toBe(1);
});

it('"Sync now" reads the comments, even if all seem known', async () => {
  const fixture = await sync.aFixture();
  const pair = await sync.aLinkedTicket(fixture);
  await steps['a lost comment'](fixture, [pair]);
  await steps['our write'](fixture, [pair]);
  expect(await received(pair.ticket)).toEqual([]);
  await sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params: { id: pair.ticket.id } });
  await eventually(async () => expect(await received(pair.ticket)).toEqual(['Lost on the way']));
  await sync.whenSynced(fixture, pair.ticket);
});

it('a comment on a task that has left the list reaches the ticket, although no webhook reports it', async () => {
  const fixture = await sync.aFixture();
  const pair = await sync.aLinkedTicket(fixture);
  sync.integrations.clickup.addList('Support', 'Not integrated');
  sync.integrations.clickup.person.moveTask(pair.task_id, 'Not integrated');
  await sync.whenIdle(fixture, pair.ticket);
  await steps['a sweep'](fixture, [pair]);
  sync.integrations.clickup.person.comment(pair.task_id, 'From elsewhere');
  await eventually(async () => {
    await steps['a sweep'](fixture, [pair]);
    expect(await received(pair.ticket)).toEqual(['From elsewhere']);
  });
});
