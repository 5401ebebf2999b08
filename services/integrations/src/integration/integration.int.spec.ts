import {
  createIntegration,
  deleteIntegration,
  listIntegrations,
  orderIntegrations,
  readSyncLog,
  updateIntegration,
  type Context,
  type Integration,
  type Operation,
  type SyncLogEntry,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asCustomer, asStaff, asToken, IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start()));
afterAll(() => integrations?.close());

const create = (ctx: Context, body: object = integrations.chosenList(), headers: Record<string, string> = {}) =>
  integrations.call<Integration>(createIntegration, ctx, { body, headers });
const update = (ctx: Context, id: string, body: object) => integrations.call<Integration>(updateIntegration, ctx, { params: { id }, body });
const remove = (ctx: Context, id: string) => integrations.call(deleteIntegration, ctx, { params: { id } });
const list = (ctx: Context) => integrations.call<Integration[]>(listIntegrations, ctx);
async function connected(): Promise<{ organization: TestOrganization; ctx: Context }> {
  const organization = integrations.anOrganization();
  await integrations.aConnection(organization);
  return { organization, ctx: asStaff(organization) };
}
const whenSynced = async (id: string) =>
  (await integrations.events(id)).filter(({ type }) => type === 'task.settings_changed').map(({ data }) => data);
const standard = { open: 'To Do', in_progress: 'In Progress', waiting_for_customer: 'Review', resolved: 'Complete', closed: 'Closed' };

describe('the list of integrations', () => {
  it('starts with the oldest, each with its health and counts', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const old = await integrations.anIntegration(connection, { created_at: '2026-01-01T00:00:00.000Z', webhook_state: 'active' });
    const late = await integrations.anIntegration(connection, { list: 'Ideas', is_active: false, pause_reason: 'by_hand' });
    for (const state of ['linked', 'linked', 'failed', 'stopped', 'gone', 'unlinked', 'creating'] as const)
      await integrations.aLink(old, { state, next_sync_at: state === 'creating' ? '2100-01-01T00:00:00.000Z' : null });
    const { data } = await list(asStaff(organization));
    expect(data).toMatchObject([
      { id: old.id, health: 'attention', linked_count: 3, pending_count: 1, failed_count: 2 },
      { id: late.id, health: 'paused', health_detail: null, linked_count: 0, pending_count: 0, failed_count: 0 },
    ]);
    expect(JSON.stringify(data)).not.toMatch(/sealed|secret|webhook_id/);
  });

  it('contains none of other organizations', async () => {
    const { ctx } = await connected();
    await create(ctx);
    expect((await list(asStaff(integrations.anOrganization()))).data).toEqual([]);
  });
});

describe('changing an integration', () => {
  it('is logged with the old and new values, long replies shortened', async () => {
    const { ctx } = await connected();
    const { id } = (await create(ctx)).data;
    const answer = await update(ctx, id, {
      conflict_rule: 'help_desk',
      finished_reply: 'x'.repeat(3_000),
      status_mappings: { ...standard, closed: 'complete' },
    });
    expect(answer).toMatchObject({
      status: 200,
      data: { conflict_rule: 'help_desk', status_mappings: { ...standard, closed: 'Complete' } },
    });
    expect((await whenSynced(id)).at(-1)).toEqual({
      what: 'integration.updated',
      target: 'ClickUp, Northwind / Support / Customer tickets',
      changes: {
        conflict_rule: { from: 'latest', to: 'help_desk' },
        finished_reply: { from: null, to: `${'x'.repeat(200)}…` },
        'status_mappings.closed': { from: 'Closed', to: 'Complete' },
      },
    });
    const count = (await whenSynced(id)).length;
    expect((await update(ctx, id, { conflict_rule: 'help_desk' })).status).toBe(200);
    expect(await whenSynced(id)).toHaveLength(count);
  });

  it('saves the meaning of a closed status, and logs it', async () => {
    const { ctx } = await connected();
    const { id, statuses } = (await create(ctx)).data;
    const closed = (statuses as { id: string; name: string }[]).find(({ name }) => name === 'Closed')!.id;
    const answer = await update(ctx, id, { closed_meanings: { [closed]: 'not_planned' } });
    expect(answer).toMatchObject({ status: 200, data: { closed_meanings: { [closed]: 'not_planned' } } });
    expect((await whenSynced(id)).at(-1)!.changes).toEqual({ [`closed_meanings.${closed}`]: { from: null, to: 'not_planned' } });
  });

  it('pauses and resumes it; resuming reads the list immediately', async () => {
    const organization = integrations.anOrganization();
    const { id } = await integrations.anIntegration(await integrations.aConnection(organization));
    const ctx = asStaff(organization);
    expect((await update(ctx, id, { is_active: false })).data).toMatchObject({
      is_active: false,
      pause_reason: 'by_hand',
      health: 'paused',
    });
    expect((await update(ctx, id, { comment_sync: 'none' })).data).toMatchObject({ is_active: false, pause_reason: 'by_hand' });
    expect((await update(ctx, id, { is_active: true })).data).toMatchObject({ is_active: true, pause_reason: null });
    const [row] = await integrations.findIntegrations(organization);
    expect(Date.parse(row!.next_check_at)).toBeLessThan(Date.now() + 60 * 60_000);
    expect((await whenSynced(id)).map(({ changes }) => changes)).toEqual([
      { is_active: { from: true, to: false } },
      { comment_sync: { from: 'both', to: 'none' } },
      { is_active: { from: false, to: true } },
    ]);
  });

  it('does not resume with a refused token, but changes settings', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization, { state: 'broken' });
    const { id } = await integrations.anIntegration(connection, { is_active: false, pause_reason: 'connection_broken' });
    expect(await update(asStaff(organization), id, { is_active: true })).toMatchObject({ status: 409, data: { code: 'task_tool.broken' } });
    expect((await update(asStaff(organization), id, { conflict_rule: 'task' })).data).toMatchObject({
      conflict_rule: 'task',
      health: 'broken',
      is_active: false,
    });
  });

  it('accepts a status that was added to the list since, and refuses an unknown one', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const statuses = JSON.stringify([{ id: 's', name: 'To Do', category: 'open', color: null }]);
    const { id } = await integrations.anIntegration(connection, { statuses });
    const { data } = await update(asStaff(organization), id, { status_mappings: { ...standard, closed: 'CLOSED' } });
    expect(data.status_mappings).toEqual(standard);
    expect(data.statuses).toHaveLength(5);
    const refused = await update(asStaff(organization), id, { status_mappings: { ...standard, closed: 'Shipped' } });
    expect([refused.status, refused.data.code, refused.data.errors?.[0]?.path]).toEqual([
      422,
      'integration.status_unknown',
      'status_mappings.closed',
    ]);
    expect((await integrations.findIntegrations(organization))[0]!.status_mappings).toEqual(standard);
  });

  it.each<[string, object, string]>([
    ['nothing', {}, ''],
    ['an unknown member', { list_id: '1' }, 'list_id'],
    ['an unknown rule', { conflict_rule: 'mine' }, 'conflict_rule'],
    ['incomplete statuses', { status_mappings: { open: 'To Do' } }, 'status_mappings.in_progress'],
    ['an unknown meaning', { closed_meanings: { Closed: 'done' } }, 'closed_meanings.Closed'],
    ['too long a reply', { finished_reply: 'x'.repeat(5_001) }, 'finished_reply'],
    ['null for active', { is_active: null }, 'is_active'],
  ])('with %s is refused', async (_case, body, path) => {
    const organization = integrations.anOrganization();
    const integration = await integrations.anIntegration(await integrations.aConnection(organization));
    const { status, data } = await update(asStaff(organization), integration.id, body);
    expect([status, data.code, data.errors![0]!.path]).toEqual([422, 'request.invalid', path]);
    expect(await integrations.findIntegrations(organization)).toEqual([integration]);
  });
});

describe('removing an integration', () => {
  it('removes its webhook, and unlinks the tickets that had a task', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const integration = await integrations.anIntegration(connection);
    const other = await integrations.anIntegration(connection, { list: 'Ideas' });
    const [linked, kept] = [await integrations.aLink(integration, { task_id: 't1' }), await integrations.aLink(other, { task_id: 't2' })];
    const unlinked = await integrations.aLink(integration, { task_id: 't3', state: 'unlinked' });
    expect(await remove(asStaff(organization), integration.id)).toMatchObject({ status: 200, data: {} });
    expect((await integrations.findIntegrations(organization)).map(({ id }) => id)).toEqual([other.id]);
    expect(await integrations.events(linked.ticket_id)).toMatchObject([
      { type: 'task.unlinked', data: { task_id: 't1', reason: 'integration_removed' } },
    ]);
    expect([await integrations.eventTypes(kept.ticket_id), await integrations.eventTypes(unlinked.ticket_id)]).toEqual([[], []]);
    expect(await integrations.findLink(organization, kept.ticket_id)).toMatchObject({ state: 'linked' });
    expect((await whenSynced(integration.id)).at(-1)).toMatchObject({ what: 'integration.deleted' });
    expect(await remove(asStaff(organization), integration.id)).toMatchObject({ status: 404, data: { code: 'integration.not_found' } });
  });

  it('works while the tool is down', async () => {
    const organization = integrations.anOrganization();
    const { id } = await integrations.anIntegration(await integrations.aConnection(organization), { webhook_id: 'w1' });
    integrations.clickup.faults.disconnect();
    expect((await remove(asStaff(organization), id)).status).toBe(200);
    integrations.clickup.faults.clear();
  });
});

describe('the sync log', () => {
  const read = (ctx: Context, id: string, query: Record<string, string> = {}) =>
    integrations.call<SyncLogEntry[]>(readSyncLog, ctx, { params: { id }, query });
  const write = (
    organization: TestOrganization,
    integration_id: string,
    lines: { level: SyncLogEntry['level']; message: string; created_at?: string }[],
  ) =>
    integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .insertInto('sync_log')
        .values(lines.map((line) => ({ organization_id: organization.id, id: newId(), integration_id, ...line })))
        .execute(),
    );

  it('is paginated, the latest entry first, and filtered by level', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const [own, other] = [await integrations.anIntegration(connection), await integrations.anIntegration(connection, { list: 'Ideas' })];
    const at = (i: number) => new Date(Date.UTC(2026, 10, 22, 0, 0, i)).toISOString();
    const levels = ['info', 'warning', 'error'] as const;
    await write(
      organization,
      own.id,
      Array.from({ length: 9 }, (_, i) => ({ level: levels[i % 3]!, message: `line ${i}`, created_at: at(i) })),
    );
    await write(organization, other.id, [{ level: 'error', message: 'of another list' }]);
    const first = await read(asStaff(organization), own.id, { limit: '5' });
    const second = await read(asStaff(organization), own.id, { limit: '5', cursor: first.pagination.next_cursor! });
    expect([...first.data, ...second.data].map(({ message }) => message)).toEqual(Array.from({ length: 9 }, (_, i) => `line ${8 - i}`));
    expect([first.pagination.total, second.pagination.next_cursor]).toEqual([9, null]);
    expect((await read(asStaff(organization), own.id, { level: 'error' })).data.map(({ message }) => message)).toEqual([
      'line 8',
      'line 5',
      'line 2',
    ]);
  });

  it.each([
    [{ level: 'fatal' }, 'level'],
    [{ limit: '0' }, 'limit'],
    [{ cursor: 'bm9uc2Vuc2U' }, 'cursor'],
  ])('refuses %j', async (query, path) => {
    const organization = integrations.anOrganization();
    const { id } = await integrations.anIntegration(await integrations.aConnection(organization));
    const { status, data } = await read(asStaff(organization), id, query);
    expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
  });
});

describe('a user who is not an admin of the organization', () => {
  it.each<Operation>([listIntegrations, createIntegration, updateIntegration, deleteIntegration, readSyncLog])(
    'may not: $name',
    async (operation) => {
      const organization = integrations.anOrganization();
      const { id } = await integrations.anIntegration(await integrations.aConnection(organization));
      const input = { params: { id }, ...(['POST', 'PATCH'].includes(operation.method) && { body: {} }) };
      for (const role of ['manager', 'agent'] as const)
        expect((await integrations.call(operation, asStaff(organization, role), input)).status).toBe(403);
      expect((await integrations.call(operation, asToken(organization, 'tickets:write'), input)).status).toBe(403);
      expect((await integrations.call(operation, asCustomer(organization.id), input)).status).toBe(401);
      expect(await integrations.findIntegrations(organization)).toHaveLength(1);
    },
  );

  it.each<Operation>([updateIntegration, deleteIntegration, readSyncLog])('gets "not found": $name', async (operation) => {
    const organization = integrations.anOrganization();
    const integration = await integrations.anIntegration(await integrations.aConnection(organization));
    const { ctx } = await connected();
    const input = (id: string) => ({ params: { id }, ...(operation.method === 'PATCH' && { body: { is_active: false } }) });
    const [theirs, nobodys] = [
      await integrations.call(operation, ctx, input(integration.id)),
      await integrations.call(operation, ctx, input(newId())),
    ];
    expect([theirs.status, theirs.data.code]).toEqual([404, 'integration.not_found']);
    expect([nobodys.status, nobodys.data.code]).toEqual([404, 'integration.not_found']);
    expect(await integrations.findIntegrations(organization)).toEqual([integration]);
  });
});

describe('the order of integrations', () => {
  const rules = (create: string) =>
    JSON.stringify({ create, categories: [], tags: create === 'matching' ? ['printer'] : [], priorities: [] });
  const order = (ctx: Context, ids: string[]) => integrations.call<Integration[]>(orderIntegrations, ctx, { body: { ids } });

  it('puts those with rules first, saves the order that an admin chooses, and is logged', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const all = await integrations.anIntegration(connection, { created_at: '2026-01-01T00:00:00.000Z' });
    const first = await integrations.anIntegration(connection, { list: 'Ideas', rules: rules('matching') });
    const second = await integrations.anIntegration(connection, { list: 'Bugs', rules: rules('matching') });
    expect((await list(asStaff(organization))).data.map(({ id }) => id)).toEqual([first.id, second.id, all.id]);
    const answer = await order(asStaff(organization), [all.id, second.id, first.id]);
    expect(answer).toMatchObject({ status: 200, data: [{ id: second.id }, { id: first.id }, { id: all.id }] });
    expect((await whenSynced(all.id)).at(-1)).toMatchObject({
      what: 'integration.updated',
      changes: { order: { from: 'Ideas, Bugs, Customer tickets', to: 'Bugs, Ideas, Customer tickets' } },
    });
    expect((await order(asStaff(organization), [all.id, second.id, first.id])).status).toBe(200);
    expect(await whenSynced(all.id)).toHaveLength(1);
  });

  it('is refused if incomplete or for other roles, and does not change other organizations', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const one = await integrations.anIntegration(connection);
    const two = await integrations.anIntegration(connection, { list: 'Ideas' });
    for (const ids of [[one.id], [one.id, one.id], [one.id, two.id, newId()]])
      expect(await order(asStaff(organization), ids)).toMatchObject({ status: 409, data: { code: 'integration.order_incomplete' } });
    for (const ids of [[], ['x']]) expect((await order(asStaff(organization), ids)).status).toBe(422);
    for (const role of ['manager', 'agent'] as const) expect((await order(asStaff(organization, role), [one.id, two.id])).status).toBe(403);
    expect((await order(asStaff(integrations.anOrganization()), [one.id, two.id])).data.code).toBe('integration.order_incomplete');
  });
});
