import {
  listSpaces,
  listTaskLists,
  listWorkspaces,
  readTaskList,
  type Operation,
  type TaskList,
  type TaskToolChoice,
} from '@tandem/contracts';
import { asCustomer, asStaff, IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';

let integrations: IntegrationsUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  integrations = await IntegrationsUnderTest.start();
  organization = integrations.anOrganization();
  await integrations.aConnection(organization);
});
afterAll(() => integrations?.close());

const ask = <T = TaskToolChoice[]>(operation: Operation, query: Record<string, string> = {}, id = '', by = organization) =>
  integrations.call<T>(operation, asStaff(by), { query, params: { id } });
const names = (answer: { data: TaskToolChoice[] }) => answer.data.map(({ name }) => name);
const idOf = { team: (name: string) => integrations.clickup.team(name).id, space: (name: string) => integrations.clickup.space(name).id };
const list = (name: string) => integrations.clickup.list(name);

it('returns workspaces, their spaces, and the lists of a space, with the folder’s name for lists in folders', async () => {
  expect(names(await ask(listWorkspaces))).toEqual(['Northwind', 'Other']);
  expect(names(await ask(listSpaces, { workspace_id: idOf.team('Northwind') }))).toEqual(['Support', 'Product']);
  expect(names(await ask(listTaskLists, { space_id: idOf.space('Support') })).sort()).toEqual(['Customer tickets', 'Engineering / Bugs']);
  expect(integrations.clickup.violations).toEqual([]);
});

it('shows the statuses and fields of a list, and proposes a mapping', async () => {
  const { data } = await ask<TaskList>(readTaskList, {}, list('Customer tickets').id);
  expect(data.statuses.map(({ name, category }) => `${name} ${category}`)).toEqual([
    'To Do open',
    'In Progress active',
    'Review active',
    'Complete done',
    'Closed closed',
  ]);
  expect(data.proposed_statuses).toEqual({
    open: 'To Do',
    in_progress: 'In Progress',
    waiting_for_customer: 'Review',
    resolved: 'Complete',
    closed: 'Closed',
  });
  expect(data.email_fields).toMatchObject([{ name: 'Customer Email', type: 'email' }]);
  expect(data.proposed_email_field).toBe(data.email_fields[0]!.id);
  const bugs = (await ask<TaskList>(readTaskList, {}, list('Bugs').id)).data;
  expect(bugs.proposed_statuses).toMatchObject({ waiting_for_customer: null, resolved: 'Closed', closed: 'Closed' });
  expect([bugs.email_fields, bugs.proposed_email_field]).toEqual([[], null]);
});

it.each<[string, Operation, Record<string, string>, string]>([
  ['a space', listTaskLists, { space_id: '99999999' }, ''],
  ['a workspace', listSpaces, { workspace_id: '99999999' }, ''],
  ['a list', readTaskList, {}, '99999999'],
])('reports that the tool does not know %s, without marking the token as refused', async (_case, operation, query, id) => {
  expect(await ask(operation, query, id)).toMatchObject({ status: 404, data: { code: 'task_tool.list_not_found' } });
  expect((await integrations.findConnection(organization))!.state).toBe('connected');
});

it('passes ids on unchanged: none leads to another path of the tool', async () => {
  integrations.clickup.clearLog();
  for (const id of ['../user', '..%2fuser', 'a/b?x=1', '%00', '#'])
    expect((await ask(readTaskList, {}, id)).status).toBeGreaterThanOrEqual(404);
  expect(integrations.clickup.requests.filter(({ path }) => path.includes('/user') && !path.includes('list'))).toEqual([]);
});

it.each<[string, Operation, Record<string, string>, string]>([
  ['no workspace', listSpaces, {}, 'workspace_id'],
  ['an empty workspace', listSpaces, { workspace_id: ' ' }, 'workspace_id'],
  ['neither space nor workspace', listTaskLists, {}, ''],
  ['both', listTaskLists, { space_id: '1', workspace_id: '1' }, ''],
  ['an unknown tool', listWorkspaces, { provider: 'Click Up' }, 'provider'],
  ['something unknown', listWorkspaces, { nonsense: '1' }, ''],
])('refuses a request with %s', async (_case, operation, query, path) => {
  const { status, data } = await ask(operation, query);
  expect([status, data.code]).toEqual([422, 'request.invalid']);
  if (path) expect(data.errors![0]!.path).toBe(path);
});

it('requires a connection of the same organization', async () => {
  expect(await ask(listWorkspaces, {}, '', integrations.anOrganization())).toMatchObject({
    status: 409,
    data: { code: 'task_tool.not_connected' },
  });
  expect(await ask(listWorkspaces, { provider: 'constructor' })).toMatchObject({ status: 404, data: { code: 'task_tool.unknown' } });
});

it('marks the connection as broken when the tool refuses the token, and notifies the admins', async () => {
  const own = integrations.anOrganization();
  const token = integrations.clickup.issueToken();
  const connection = await integrations.aConnection(own, { token });
  const integration = await integrations.anIntegration(connection);
  integrations.clickup.revokeToken(token);
  expect(await ask(listWorkspaces, {}, '', own)).toMatchObject({ status: 409, data: { code: 'task_tool.broken' } });
  expect((await integrations.findConnection(own))!.state).toBe('broken');
  expect(await integrations.findIntegrations(own)).toMatchObject([
    { id: integration.id, is_active: false, pause_reason: 'connection_broken' },
  ]);
  expect(await integrations.events(connection.id)).toMatchObject([{ type: 'task.sync_failed', data: { problem: 'connection_broken' } }]);
  integrations.clickup.clearLog();
  expect(await ask(listWorkspaces, {}, '', own)).toMatchObject({ status: 409, data: { code: 'task_tool.broken' } });
  expect(integrations.clickup.requests).toEqual([]);
});

it.each<[string, () => void, RegExp]>([
  ['is broken', () => integrations.clickup.failNext(500, 'X'), /^30$/],
  ['is rate-limited', () => integrations.clickup.faults.answer(tooMany()), /^(4\d|5\d|60)$/],
  ['breaks off', () => integrations.clickup.faults.disconnect(), /^30$/],
  ['hangs', () => integrations.clickup.faults.hang(), /^30$/],
])('asks to retry while the tool %s', async (_case, causeFailure, retryAfter) => {
  const own = integrations.anOrganization();
  await integrations.aConnection(own);
  causeFailure();
  const answer = await ask(listWorkspaces, {}, '', own);
  integrations.clickup.faults.clear();
  expect([answer.status, answer.data.code]).toEqual([503, 'task_tool.unreachable']);
  expect(answer.headers.get('retry-after')).toMatch(retryAfter);
  expect((await integrations.findConnection(own))!.state).toBe('connected');
});

const tooMany = () => ({
  status: 429,
  body: { err: 'Rate limit reached', ECODE: 'APP_002' },
  headers: { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1_000) + 50) },
});

it.each<Operation>([listWorkspaces, listSpaces, listTaskLists, readTaskList])('$name is restricted to admins', async (operation) => {
  const input = { params: { id: '1' }, query: { workspace_id: '1' } };
  for (const role of ['manager', 'agent'] as const)
    expect((await integrations.call(operation, asStaff(organization, role), input)).status).toBe(403);
  expect((await integrations.call(operation, asCustomer(organization.id), input)).status).toBe(401);
});
