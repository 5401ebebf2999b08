import { request } from 'node:http';
import { Script } from 'node:vm';
import { type Caller, type Json, openSandbox } from './testing';

let api: Caller;
beforeEach(async () => void (api = await openSandbox()));
afterEach(() => api.sandbox.close());

const own = { 'x-sandbox': 'page', 'content-type': 'application/json' };
const act = (action: object, headers: Record<string, string> = own) =>
  fetch(`${api.sandbox.url}/sandbox/do`, { method: 'POST', headers, body: JSON.stringify({ as: 'agent@demo.test', ...action }) });
const board = async (since = ''): Promise<Response> => fetch(`${api.sandbox.url}/sandbox/board?since=${since}`);

/** Uses node:http, because fetch sets the Host header itself. */
const statusFor = (host: string, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    request(`${api.sandbox.url}${path}`, { headers: { host } }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end(),
  );

it('the page loads its own files and runs no other script', async () => {
  const page = await fetch(`${api.sandbox.url}/`);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  const html = await page.text();
  expect(html).not.toMatch(/https?:\/\/|<script>|<style|style=/);
  for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) expect((await fetch(`${api.sandbox.url}${path}`)).status).toBe(200);
});

it('its script is valid', async () => {
  const script = await (await fetch(`${api.sandbox.url}/sandbox/page.js`)).text();
  // Checks the syntax only; the script is not run.
  expect(() => new Script(script)).not.toThrow();
});

it('rejects another host name that resolves to this server', async () => {
  for (const path of ['/', '/sandbox/board', '/api?client_id=sandbox-client&redirect_uri=http%3A%2F%2Fx.test'])
    expect(await statusFor('evil.test', path)).toBe(421);
  expect(await statusFor('localhost:1', '/')).toBe(200);
});

it('shows the lists with their columns and cards, and returns only changes', async () => {
  const task = api.sandbox.person.createTask('Bugs', { name: '<b>Printer</b>', priority: 1 });
  const { version, lists } = await (await board()).json();
  expect(lists.map(({ name, place }: Json) => [name, place])).toContainEqual(['Bugs', 'Northwind / Support / Engineering']);
  expect(lists.find(({ name }: Json) => name === 'Bugs').tasks).toMatchObject([
    { id: task.id, name: '<b>Printer</b>', priority: 1, comments: 0 },
  ]);
  expect((await board(version)).status).toBe(204);
});

it('supports every action on a task', async () => {
  const { task: id } = (await (await act({ do: 'create', list: 'Customer tickets', value: 'Printer' })).json()) as { task: string };
  const agent = api.sandbox.user('agent@demo.test').id;
  for (const [what, value] of Object.entries({
    rename: 'Scanner',
    describe: '**Now**',
    status: 'Review',
    priority: '2',
    assign: String(agent),
    comment: 'Seen',
  }))
    expect((await act({ do: what, task: id, value })).status).toBe(200);
  expect(api.sandbox.task(id)).toMatchObject({
    name: 'Scanner',
    description: '**Now**',
    status: 'Review',
    priority: 2,
    assignees: [agent],
  });
  expect(await (await fetch(`${api.sandbox.url}/sandbox/tasks/${id}`)).json()).toMatchObject({
    conversation: [{ text: 'Seen', by: 'Priya Raman' }],
  });
  await act({ do: 'unassign', task: id, value: String(agent) });
  await act({ do: 'priority', task: id, value: '' });
  await act({ do: 'move', task: id, value: api.sandbox.list('Ideas').id });
  expect(api.sandbox.task(id)).toMatchObject({ assignees: [], priority: null, list_id: api.sandbox.list('Ideas').id, status: 'To Do' });
  await act({ do: 'delete', task: id });
  expect(api.sandbox.task(id)?.deleted).toBe(true);
  expect((await fetch(`${api.sandbox.url}/sandbox/tasks/${id}`)).status).toBe(404);
});

it('reports what is not possible, and changes nothing', async () => {
  const { id } = api.sandbox.person.createTask('Ideas', { name: 'x' });
  const answer = await act({ do: 'status', task: id, value: 'Review' });
  expect([answer.status, await answer.json()]).toEqual([400, { error: 'Status not found' }]);
  for (const body of [{ do: 7 }, { do: 'fly', task: id }, { do: 'create', list: 'Ideas', value: ' ' }])
    expect((await act(body)).status).toBe(400);
  expect(api.sandbox.tasks()).toHaveLength(1);
});

it('refuses requests of other sites', async () => {
  const foreign: Record<string, string>[] = [{ origin: 'http://evil.test', 'x-sandbox': 'page' }, { 'content-type': 'text/plain' }];
  for (const headers of foreign) expect((await act({ do: 'create', list: 'Ideas', value: 'x' }, headers)).status).toBe(403);
  expect(api.sandbox.tasks()).toEqual([]);
});
