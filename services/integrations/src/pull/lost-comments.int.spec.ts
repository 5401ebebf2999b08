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

/** Steps applied to a ticket and its task. Each ends when all of its effects are processed. */
const steps = {
  'a lost comment': async (fixture: Fixture, { ticket, task_id }: Pair) => {
    await sync.integrations.clickup.deliveriesSettled();
    sync.integrations.clickup.dropDeliveries(2);
    sync.integrations.clickup.person.comment(task_id, 'Lost on the way');
    await sync.whenIdle(fixture, ticket);
  },
  'a comment': async (fixture: Fixture, { ticket, task_id }: Pair) => {
    sync.integrations.clickup.person.comment(task_id, 'Delivered');
    await eventually(async () => expect(await received(ticket)).toContain('Delivered'));
    await sync.whenIdle(fixture, ticket);
  },
  'our write': async (fixture: Fixture, { ticket, task_id }: Pair) => {
    const { subject } = await sync.tickets.change(ticket.id, { subject: `Written ${Date.now()} ${ticket.ticket_number}` });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe(subject));
    await sync.whenIdle(fixture, ticket);
  },
  'our comment': async (fixture: Fixture, { ticket, task_id }: Pair) => {
    const before = sync.integrations.clickup.comments(task_id).length;
    await sync.tickets.comment(ticket.id, 'From the ticket');
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(before + 1));
    await sync.whenIdle(fixture, ticket);
  },
  'a sweep': async (fixture: Fixture, { ticket }: Pair) => {
    await sweep(fixture);
    await sync.whenIdle(fixture, ticket);
  },
} as const;
type Step = keyof typeof steps;

/** All permutations of the steps. */
function orders(names: Step[]): Step[][] {
  if (names.length === 0) return [[]];
  return names.flatMap((name) => orders(names.filter((other) => other !== name)).map((rest) => [name, ...rest]));
}

it.each([
  [['a lost comment', 'our write', 'a comment', 'our comment']],
  [['a lost comment', 'our write', 'our comment', 'a sweep']],
] satisfies [Step[]][])(
  'a comment whose webhook is lost reaches the ticket with the next sweep, in every order of %j',
  async (names) => {
    const fixture = await sync.aFixture();
    const cases: { order: Step[]; pair: Pair }[] = [];
    for (const order of orders(names)) {
      const pair = await sync.aLinkedTicket(fixture);
      for (const step of order) await steps[step](fixture, pair);
      cases.push({ order, pair });
    }
    await sweep(fixture);
    const missing: Step[][] = [];
    for (const { order, pair } of cases) {
      await sync.whenSynced(fixture, pair.ticket);
      if ((await received(pair.ticket)).filter((text) => text === 'Lost on the way').length !== 1) missing.push(order);
    }
    expect(missing).toEqual([]);
  },
  180_000,
);

it('our own write costs one read of the comments, in the next check of the list; its echo costs none', async () => {
  const fixture = await sync.aFixture();
  const pair = await sync.aLinkedTicket(fixture);
  await steps['our write'](fixture, pair);
  await steps['our write'](fixture, pair);
  expect(commentReads()).toBe(0);
  await steps['a sweep'](fixture, pair);
  expect(commentReads()).toBe(1);
  await steps['a sweep'](fixture, pair);
  expect(commentReads()).toBe(1);
});

it('"Sync now" reads the comments, even if all seem known', async () => {
  const fixture = await sync.aFixture();
  const pair = await sync.aLinkedTicket(fixture);
  await steps['a lost comment'](fixture, pair);
  await steps['our write'](fixture, pair);
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
  await steps['a sweep'](fixture, pair);
  sync.integrations.clickup.person.comment(pair.task_id, 'From elsewhere');
  await eventually(async () => {
    await steps['a sweep'](fixture, pair);
    expect(await received(pair.ticket)).toEqual(['From elsewhere']);
  });
});
