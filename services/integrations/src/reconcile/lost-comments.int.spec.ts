import { syncTicketTask, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => expect(stage.integrations.clickup.violations).toEqual([]));

type Pair = Awaited<ReturnType<Stage['aPair']>>;
async function sweep({ organization }: Scene): Promise<void> {
  await stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ look_at: new Date().toISOString() }).execute(),
  );
  await eventually(async () => {
    const [integration] = await stage.integrations.findIntegrations(organization);
    expect(Date.parse(integration!.look_at)).toBeGreaterThan(Date.now() + 60_000);
  });
}
const received = async ({ id }: Pick<Ticket, 'id'>) =>
  (await stage.integrations.events(id)).filter(({ type }) => type === 'task.comment_received').map(({ data }) => data.content as string);
const commentReads = () => stage.calls.filter((call) => call === 'GET /v2/task/{task_id}/comment').length;

/** Steps applied to a ticket and its task. Each ends when all of its effects are processed. */
const steps = {
  'a lost comment': async (scene: Scene, { ticket, task_id }: Pair) => {
    await stage.integrations.clickup.deliveriesSettled();
    stage.integrations.clickup.dropDeliveries(2);
    stage.integrations.clickup.person.comment(task_id, 'Lost on the way');
    await stage.quiet(scene, ticket);
  },
  'a comment': async (scene: Scene, { ticket, task_id }: Pair) => {
    stage.integrations.clickup.person.comment(task_id, 'Delivered');
    await eventually(async () => expect(await received(ticket)).toContain('Delivered'));
    await stage.quiet(scene, ticket);
  },
  'our write': async (scene: Scene, { ticket, task_id }: Pair) => {
    const { subject } = await stage.tickets.change(ticket.id, { subject: `Written ${Date.now()} ${ticket.ticket_number}` });
    await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe(subject));
    await stage.quiet(scene, ticket);
  },
  'our comment': async (scene: Scene, { ticket, task_id }: Pair) => {
    const before = stage.integrations.clickup.comments(task_id).length;
    await stage.tickets.comment(ticket.id, 'From the ticket');
    await eventually(() => expect(stage.integrations.clickup.comments(task_id)).toHaveLength(before + 1));
    await stage.quiet(scene, ticket);
  },
  'a sweep': async (scene: Scene, { ticket }: Pair) => {
    await sweep(scene);
    await stage.quiet(scene, ticket);
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
    const scene = await stage.aScene();
    const cases: { order: Step[]; pair: Pair }[] = [];
    for (const order of orders(names)) {
      const pair = await stage.aPair(scene);
      for (const step of order) await steps[step](scene, pair);
      cases.push({ order, pair });
    }
    await sweep(scene);
    const missing: Step[][] = [];
    for (const { order, pair } of cases) {
      await stage.settled(scene, pair.ticket);
      if ((await received(pair.ticket)).filter((text) => text === 'Lost on the way').length !== 1) missing.push(order);
    }
    expect(missing).toEqual([]);
  },
  180_000,
);

it('an own write costs one read of the comments, with the next sweep; its echo costs none', async () => {
  const scene = await stage.aScene();
  const pair = await stage.aPair(scene);
  await steps['our write'](scene, pair);
  await steps['our write'](scene, pair);
  expect(commentReads()).toBe(0);
  await steps['a sweep'](scene, pair);
  expect(commentReads()).toBe(1);
  await steps['a sweep'](scene, pair);
  expect(commentReads()).toBe(1);
});

it('"Sync now" reads the comments, whatever is known of the task', async () => {
  const scene = await stage.aScene();
  const pair = await stage.aPair(scene);
  await steps['a lost comment'](scene, pair);
  await steps['our write'](scene, pair);
  expect(await received(pair.ticket)).toEqual([]);
  await stage.integrations.call(syncTicketTask, asStaff(scene.organization), { params: { id: pair.ticket.id } });
  await eventually(async () => expect(await received(pair.ticket)).toEqual(['Lost on the way']));
  await stage.settled(scene, pair.ticket);
});

it('a comment on a task that has left the list reaches the ticket, although no webhook tells of it', async () => {
  const scene = await stage.aScene();
  const pair = await stage.aPair(scene);
  stage.integrations.clickup.addList('Support', 'Not integrated');
  stage.integrations.clickup.person.moveTask(pair.task_id, 'Not integrated');
  await stage.quiet(scene, pair.ticket);
  await steps['a sweep'](scene, pair);
  stage.integrations.clickup.person.comment(pair.task_id, 'From elsewhere');
  await eventually(async () => {
    await steps['a sweep'](scene, pair);
    expect(await received(pair.ticket)).toEqual(['From elsewhere']);
  });
});
