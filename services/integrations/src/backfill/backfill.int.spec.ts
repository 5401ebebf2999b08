import { deleteIntegration, linkTicketTask, readBackfill, startBackfill, type Backfill, type TaskRules } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asCustomer, asStaff, IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';
import type { TicketCopy } from '../schema';
import { isUnresolved, matches } from '../ticket-copy/ticket-copy';
import { matchingCopies } from './backfill.store';

let integrations: IntegrationsUnderTest;
beforeAll(async () => {
  integrations = await IntegrationsUnderTest.start(
    { SWEEP_MS: '300', TASK_TOOL_TIMEOUT_MS: '1000' },
    { rateLimitPerMinute: 100, timeScale: 100 },
  );
});
afterAll(() => integrations?.close());

const rulesOf = (rules: Partial<TaskRules>): TaskRules => ({ create: 'matching', categories: [], tags: [], priorities: [], ...rules });
const paused = { is_active: false, pause_reason: 'by_hand' as const };
const backfill = (organization: TestOrganization, id: string) =>
  integrations.call<Backfill>(readBackfill, asStaff(organization), { params: { id } });
const start = (organization: TestOrganization, id: string) =>
  integrations.call<Backfill>(startBackfill, asStaff(organization), { params: { id } });
async function manyCopies(organization: TestOrganization, count: number): Promise<TicketCopy[]> {
  const copies: TicketCopy[] = [];
  for (let i = 0; i < count; i += 1)
    copies.push(await integrations.aTicketCopy(organization, { ticket_number: `ACM-${i}`, subject: `Ticket ${i}` }));
  return copies;
}

it('the rules in SQL select the same tickets as the rules in TypeScript', async () => {
  const organization = integrations.anOrganization();
  const copies: TicketCopy[] = [];
  for (const category of [null, 'Billing', 'billing'])
    for (const tags of [[], ['vip'], ['vip', 'refund']])
      for (const priority of ['low', 'urgent'] as const)
        for (const status of ['open', 'waiting_for_customer', 'resolved', 'closed'] as const)
          copies.push(await integrations.aTicketCopy(organization, { category, tags, priority, status }));
  const several = [[], ['Billing'], ['Billing', 'Other']].flatMap((categories) =>
    [[], ['refund'], ['refund', 'none']].flatMap((tags) =>
      [[], ['urgent' as const], ['urgent' as const, 'low' as const]].map((priorities) => rulesOf({ categories, tags, priorities })),
    ),
  );
  for (const rules of [...several, rulesOf({ create: 'all' }), rulesOf({ create: 'none' })]) {
    const found = await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      matchingCopies(tx, { organization_id: organization.id, rules, list_id: 'a-list' }).select('copy.ticket_id').execute(),
    );
    const expected = copies.filter((copy) => isUnresolved(copy) && matches(rules, copy)).map(({ ticket_id }) => ticket_id);
    expect({ rules, found: found.map(({ ticket_id }) => ticket_id).sort() }).toEqual({ rules, found: expected.sort() });
  }
});

describe('a backfill', () => {
  it('counts its tickets before it starts, without linked, unlinked and resolved ones', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization, { tickets_exported: false });
    const integration = await integrations.anIntegration(connection, paused);
    const [linked, unlinked] = await manyCopies(organization, 5);
    await integrations.aTicketCopy(organization, { status: 'resolved' });
    await integrations.aLink(integration, { ticket_id: linked!.ticket_id, task_id: 'x' });
    await integrations.aLink(integration, { ticket_id: unlinked!.ticket_id, state: 'unlinked' });
    expect(await backfill(organization, integration.id)).toMatchObject({
      status: 200,
      data: { state: 'not_begun', matching: 3, is_complete: false, total: 0, created: 0, failed: 0, started_at: null, finished_at: null },
    });
    expect(await start(organization, integration.id)).toMatchObject({ status: 409, data: { code: 'integration.paused' } });
  });

  it('finds the tasks of an integration that was removed and created again, and creates new ones in another list', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const first = await integrations.anIntegration(connection, { list: 'Bugs' });
    const [copy] = await manyCopies(organization, 1);
    await start(organization, first.id);
    const linked = () => integrations.findLink(organization, copy!.ticket_id);
    await eventually(async () => expect(await linked()).toMatchObject({ state: 'linked', next_sync_at: null }));
    const before = await linked();
    const remove = (id: string) => integrations.call(deleteIntegration, asStaff(organization), { params: { id } });
    expect((await remove(first.id)).status).toBe(200);
    expect(await linked()).toMatchObject({ state: 'unlinked' });

    const again = await integrations.anIntegration(connection, { list: 'Bugs' });
    expect((await start(organization, again.id)).data).toMatchObject({ total: 1 });
    await eventually(async () =>
      expect(await linked()).toMatchObject({ state: 'linked', next_sync_at: null, task: { id: before!.task_id } }),
    );
    expect(await linked()).toMatchObject({ task_id: before!.task_id, integration_id: again.id });
    const events = (await integrations.events(copy!.ticket_id)).filter(({ type }) => type === 'task.linked');
    expect(events.map(({ data }) => (data as { task_id: string }).task_id)).toEqual([before!.task_id, before!.task_id]);

    await remove(again.id);
    const elsewhere = await integrations.anIntegration(connection, { list: 'Ideas' });
    await start(organization, elsewhere.id);
    await eventually(async () =>
      expect(await linked()).toMatchObject({ state: 'linked', next_sync_at: null, integration_id: elsewhere.id }),
    );
    expect((await linked())!.task_id).not.toBe(before!.task_id);
  });

  it.each([
    ['the oldest becomes primary', false],
    ['a ticket that was linked since then stays primary', true],
  ])('restores several tickets to the task that they shared: %s, and the task lists all of them', async (_name, isLinkedBefore) => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const first = await integrations.anIntegration(connection, { list: 'Bugs' });
    const task_id = integrations.clickup.person.createTask('Bugs', { name: 'One bug' }).id;
    const link = async ({ ticket_id }: TicketCopy, integration_id: string) => {
      const input = { params: { id: ticket_id }, body: { integration_id, task: task_id } };
      expect((await integrations.call(linkTicketTask, asStaff(organization), input)).status).toBe(201);
    };
    const whenSynced = (copies: TicketCopy[], integration_id: string) =>
      eventually(async () => {
        const links = await Promise.all(copies.map(({ ticket_id }) => integrations.findLink(organization, ticket_id)));
        for (const found of links) expect(found).toMatchObject({ state: 'linked', next_sync_at: null, task_id, integration_id });
        return links.filter((found) => found!.is_primary).map((found) => found!.ticket_id);
      });
    const copies = await manyCopies(organization, 3);
    const [oldest, , youngest] = copies.toSorted((one, other) => (one.ticket_id < other.ticket_id ? -1 : 1));
    for (const copy of [youngest!, ...copies.filter((each) => each !== youngest)]) await link(copy, first.id);
    expect(await whenSynced(copies, first.id)).toEqual([youngest!.ticket_id]);
    expect((await integrations.call(deleteIntegration, asStaff(organization), { params: { id: first.id } })).status).toBe(200);

    const again = await integrations.anIntegration(connection, { list: 'Bugs' });
    const all = [...copies];
    if (isLinkedBefore) {
      all.push(await integrations.aTicketCopy(organization, { ticket_number: 'ACM-9' }));
      await link(all[3]!, again.id);
    }
    expect((await start(organization, again.id)).data).toMatchObject({ total: 3 });
    expect(await whenSynced(all, again.id)).toEqual([isLinkedBefore ? all[3]!.ticket_id : oldest!.ticket_id]);
    const { description } = integrations.clickup.task(task_id)!;
    for (const { ticket_id } of all) expect(description).toContain(`/tickets/${ticket_id}`);
    expect(description.match(/Added by Tandem/g)).toHaveLength(1);
  });

  it('is restricted to admins of its organization', async () => {
    const organization = integrations.anOrganization();
    const integration = await integrations.anIntegration(await integrations.aConnection(organization), paused);
    for (const operation of [readBackfill, startBackfill]) {
      const call = (ctx: ReturnType<typeof asStaff>, id = integration.id) => integrations.call(operation, ctx, { params: { id } });
      expect((await call(asStaff(organization, 'agent'))).status).toBe(403);
      expect((await call(asCustomer(organization.id))).status).toBe(401);
      expect(await call(asStaff(integrations.anOrganization()))).toMatchObject({ status: 404, data: { code: 'integration.not_found' } });
      expect((await call(asStaff(organization), 'nonsense')).status).toBe(422);
    }
  });

  it('of 300 under the limit of 100 a minute creates each task once, with one call each, even if responses are lost', async () => {
    const organization = integrations.anOrganization();
    const integration = await integrations.anIntegration(await integrations.aConnection(organization));
    await manyCopies(organization, 300);
    const { clickup } = integrations;
    clickup.clearLog();
    clickup.faults.loseAnswer({ method: 'POST', path: '/task', times: 2, skip: 50 });
    expect(await start(organization, integration.id)).toMatchObject({ status: 202, data: { state: 'running', total: 300, matching: 0 } });
    // Starting it again changes nothing.
    expect(await start(organization, integration.id)).toMatchObject({ status: 202, data: { state: 'running', total: 300 } });
    await eventually(
      async () => expect((await backfill(organization, integration.id)).data).toMatchObject({ state: 'done', created: 300, failed: 0 }),
      {
        timeoutMs: 90_000,
      },
    );
    const names = clickup.tasks('Customer tickets').map(({ name }) => name);
    expect(names).toHaveLength(300);
    expect(new Set(names).size).toBe(300);
    const made = [...clickup.requestCounts].reduce((sum, [, count]) => sum + count, 0);
    process.stdout.write(
      `backfill of 300: ${made} calls, ${(made / 300).toFixed(2)} a ticket; ${JSON.stringify([...clickup.requestCounts])}\n`,
    );
    expect(made).toBeLessThan(330);
    expect(clickup.violations).toEqual([]);
    const done = (await backfill(organization, integration.id)).data;
    expect(done.finished_at).toEqual(expect.any(String));
    expect((await backfill(organization, integration.id)).data.finished_at).toBe(done.finished_at);
    // Tickets created since then need another backfill.
    await integrations.aTicketCopy(organization);
    expect(await start(organization, integration.id)).toMatchObject({ data: { state: 'running', total: 1, created: 0 } });
    await eventually(async () => expect((await backfill(organization, integration.id)).data).toMatchObject({ state: 'done', created: 1 }));
  }, 120_000);
});
