import { createIntegration, type Context, type Integration } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asStaff, IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start()));
afterAll(() => integrations?.close());

const create = (ctx: Context, body: object = integrations.chosenList(), headers: Record<string, string> = {}) =>
  integrations.call<Integration>(createIntegration, ctx, { body, headers });
async function connected(): Promise<{ organization: TestOrganization; ctx: Context }> {
  const organization = integrations.anOrganization();
  await integrations.aConnection(organization);
  return { organization, ctx: asStaff(organization) };
}
const whenSynced = async (id: string) =>
  (await integrations.events(id)).filter(({ type }) => type === 'task.settings_changed').map(({ data }) => data);
const standard = { open: 'To Do', in_progress: 'In Progress', waiting_for_customer: 'Review', resolved: 'Complete', closed: 'Closed' };

describe('creating an integration', () => {
  it('with only a list uses matching defaults: existing statuses and the field for the address', async () => {
    const { organization, ctx } = await connected();
    const { status, data } = await create(ctx, { ...integrations.chosenList(), field_mappings: {} });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      organization_id: organization.id,
      provider: 'clickup',
      workspace_name: 'Northwind',
      space_name: 'Support',
      list_name: 'Customer tickets',
      status_mappings: standard,
      rules: { create: 'all', categories: [], tags: [], priorities: [] },
      comment_sync: 'both',
      conflict_rule: 'latest',
      on_task_finished: 'tell_customer',
      finished_reply: null,
      is_active: true,
      pause_reason: null,
      linked_count: 0,
      pending_count: 0,
      failed_count: 0,
      last_sync_at: null,
      closed_meanings: {},
    });
    const field_id = integrations.clickup.list('Customer tickets').fields[0]!.id;
    expect(data.field_mappings).toEqual({ customer_email: { direction: 'to_task', field_id } });
    expect(data.statuses.map(({ name }) => name)).toEqual(Object.values(standard));
    const [row] = await integrations.findIntegrations(organization);
    expect(row!.list_fields).toEqual([{ id: field_id, name: 'Customer Email', type: 'email', options: [] }]);
    expect(Math.abs(Date.parse(row!.next_check_at) - Date.now())).toBeLessThan(60 * 60_000);
    expect(await whenSynced(data.id)).toEqual([
      { what: 'integration.created', target: 'ClickUp, Northwind / Support / Customer tickets', changes: {} },
    ]);
    expect(integrations.clickup.violations).toEqual([]);
  });

  it('saves the chosen values, each status as spelled in the list', async () => {
    const { ctx } = await connected();
    const settings = {
      field_mappings: { title: { direction: 'to_task' }, customer_email: { direction: 'off', field_id: null } },
      rules: { create: 'matching', categories: ['Bugs'], tags: ['vip'], priorities: ['urgent'] },
      closed_meanings: { Closed: 'not_planned' },
      comment_sync: 'none',
      conflict_rule: 'task',
      on_task_finished: 'set_status',
      finished_reply: ' Hello {customer_name}',
    };
    const { data } = await create(ctx, {
      ...integrations.chosenList('Bugs'),
      ...settings,
      status_mappings: { ...standard, open: 'OPEN', waiting_for_customer: null, resolved: 'closed' },
    });
    expect(data).toMatchObject({ ...settings, list_name: 'Engineering / Bugs' });
    expect(data.status_mappings).toEqual({
      open: 'Open',
      in_progress: 'in progress',
      waiting_for_customer: null,
      resolved: 'Closed',
      closed: 'Closed',
    });
    expect([data.health, data.health_detail]).toEqual(['attention', expect.stringContaining('Waiting for Customer') as string]);
  });

  it.each<[string, () => object, number, string, string | undefined]>([
    ['no workspace', () => ({ ...integrations.chosenList(), workspace_id: '' }), 422, 'request.invalid', 'workspace_id'],
    ['no space in a workspace with spaces', () => ({ ...integrations.chosenList(), space_id: null }), 422, 'request.invalid', 'space_id'],
    ['no list', () => ({ ...integrations.chosenList(), list_id: ' ' }), 422, 'request.invalid', 'list_id'],
    ['an unknown list', () => ({ ...integrations.chosenList(), list_id: '4711' }), 404, 'task_tool.list_not_found', undefined],
    [
      'a list of another space',
      () => ({ ...integrations.chosenList(), list_id: integrations.chosenList('Ideas').list_id }),
      404,
      'task_tool.list_not_found',
      undefined,
    ],
    [
      'a space of another workspace',
      () => ({ ...integrations.chosenList(), workspace_id: integrations.chosenList('Other tasks').workspace_id }),
      404,
      'task_tool.list_not_found',
      undefined,
    ],
    [
      'a status that the list does not have',
      () => ({ ...integrations.chosenList(), status_mappings: { ...standard, resolved: 'Shipped' } }),
      422,
      'integration.status_unknown',
      'status_mappings.resolved',
    ],
    [
      'a field that the list does not have',
      () => ({ ...integrations.chosenList(), field_mappings: { customer_email: { direction: 'to_task', field_id: 'nope' } } }),
      422,
      'request.invalid',
      'field_mappings.customer_email.field_id',
    ],
    [
      'a direction that the field does not support',
      () => ({ ...integrations.chosenList(), field_mappings: { due_at: { direction: 'both' } } }),
      422,
      'request.invalid',
      'field_mappings.due_at.direction',
    ],
    [
      'another organization in the body',
      () => ({ ...integrations.chosenList(), organization_id: newId() }),
      422,
      'request.invalid',
      'organization_id',
    ],
    ['an unknown tool', () => ({ ...integrations.chosenList(), provider: 'constructor' }), 404, 'task_tool.unknown', undefined],
  ])('refuses %s, and saves nothing', async (_case, body, status, code, path) => {
    const { organization, ctx } = await connected();
    const answer = await create(ctx, body());
    expect([answer.status, answer.data.code, answer.data.errors?.[0]?.path]).toEqual([status, code, path]);
    if (['workspace_id', 'space_id', 'list_id'].includes(path ?? ''))
      expect(answer.data.errors![0]!.message).toBe('Please select workspace, space, and list');
    expect(await integrations.findIntegrations(organization)).toEqual([]);
  });

  it('creates one integration for a list and organization, even concurrently; another organization may use the list, too', async () => {
    const { ctx } = await connected();
    const answers = await Promise.all(Array.from({ length: 4 }, () => create(ctx)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.data.code).toBe('integration.exists');
    expect((await create((await connected()).ctx)).status).toBe(201);
  });

  it('returns the same integration for a repeated idempotency key', async () => {
    const { organization, ctx } = await connected();
    const headers = { 'idempotency-key': newId() };
    const [first, second] = [await create(ctx, integrations.chosenList(), headers), await create(ctx, integrations.chosenList(), headers)];
    expect([first.status, second.status, second.data.id]).toEqual([201, 201, first.data.id]);
    expect(await integrations.findIntegrations(organization)).toHaveLength(1);
  });

  it('stops at twenty, even if two are created concurrently', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    for (let i = 0; i < 19; i++) await integrations.anIntegration(connection, { list_id: `l${i}` });
    const answers = await Promise.all([create(asStaff(organization)), create(asStaff(organization), integrations.chosenList('Ideas'))]);
    expect(answers.map(({ status, data }) => `${status} ${data.code ?? ''}`).sort()).toEqual(['201 ', '409 integration.too_many']);
  });

  it('requires a working connection', async () => {
    const organization = integrations.anOrganization();
    expect(await create(asStaff(organization))).toMatchObject({ status: 409, data: { code: 'task_tool.not_connected' } });
    await integrations.aConnection(organization, { state: 'broken' });
    expect(await create(asStaff(organization))).toMatchObject({ status: 409, data: { code: 'task_tool.broken' } });
  });

  it('asks to retry while the tool does not answer', async () => {
    const { organization, ctx } = await connected();
    integrations.clickup.faults.disconnect({ times: 1_000 });
    expect(await create(ctx)).toMatchObject({ status: 503, data: { code: 'task_tool.unreachable' } });
    integrations.clickup.faults.clear();
    expect(await integrations.findIntegrations(organization)).toEqual([]);
  });
});
