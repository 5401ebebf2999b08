import type { Integration, Role, TaskList, TaskTool, TaskToolChoice, TaskToolConnection } from '@tandem/contracts';
import { Database } from '@tandem/db';
import type { IntegrationsSchema } from '@tandem/integrations/src/schema';
import type { ClickUpSandbox } from '@tandem/sandbox';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import type { Browser } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { connectClickUp, integrate, startTestAppWithClickUp, chosenList } from './test-app-with-clickup';

let app: TestApp;
let clickup: ClickUpSandbox;
beforeAll(async () => ({ app, clickup } = await startTestAppWithClickUp()));

const begin = (browser: Browser) => browser.post<{ url: string }>('/task-tool/connection/authorize', { provider: 'clickup' });
const end = (browser: Browser, answer: { code: string; state: string }) =>
  browser.post<TaskToolConnection>('/task-tool/connection/callback', { provider: 'clickup', ...answer });
const connections = (browser: Browser) => browser.get<TaskToolConnection[]>('/task-tool/connection');

/** Opens the tool's consent page and allows the first workspace; returns the URL of the redirect. */
async function allow(url: string): Promise<URL> {
  const page = await fetch(url);
  expect(page.status).toBe(200);
  const text = await page.text();
  const form = new URLSearchParams(
    [...text.matchAll(/<input type="(?:hidden|checkbox)" name="(\w+)" value="([^"]*)"/g)].slice(0, 4).map(read),
  );
  form.set('decision', 'allow');
  const headers = { origin: new URL(url).origin, 'content-type': 'application/x-www-form-urlencoded' };
  const decided = await fetch(new URL('/api', url), { method: 'POST', body: form.toString(), headers, redirect: 'manual' });
  return new URL(decided.headers.get('location') ?? '');
}
const read = ([, name, value]: RegExpMatchArray): [string, string] => [name!, value!.replaceAll('&amp;', '&')];
const answerOf = (sentTo: URL) => ({ code: sentTo.searchParams.get('code')!, state: sentTo.searchParams.get('state')! });

describe('connecting by OAuth', () => {
  it('redirects to the tool and back without revealing a token', async () => {
    const { browser } = await app.signUpOwner();
    const { url } = (await begin(browser)).data;
    const sentTo = await allow(url);
    expect(sentTo.pathname).toBe('/auth/callback/clickup');
    const answer = await end(browser, answerOf(sentTo));
    expect([answer.status, answer.data.kind, answer.data.account_name]).toEqual([200, 'oauth', 'Grace Okafor']);
    const seen = await connections(browser);
    expect(seen.data).toEqual([answer.data]);
    expect(Object.keys(answer.data).sort()).toEqual(['account_name', 'broken_at', 'connected_at', 'id', 'kind', 'provider', 'state']);
    expect((await browser.get<TaskToolChoice[]>('/task-tool/workspaces')).data.map(({ name }) => name)).toEqual(['Northwind']);
  });

  it('accepts a state once, and only from the admin who started, in the same organization', async () => {
    const [ada, bob] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
    const answer = answerOf(await allow((await begin(ada.browser)).data.url));
    const colleague = app.as('admin', ada.organization.id);
    expect(codeOf(await end(colleague, answer))).toBe('410 task_tool.state_invalid');
    expect(codeOf(await end(bob.browser, answer))).toBe('410 task_tool.state_invalid');
    expect(codeOf(await end(ada.browser, { ...answer, state: 'made-up' }))).toBe('410 task_tool.state_invalid');
    expect((await end(ada.browser, answer)).status).toBe(200);
    expect(codeOf(await end(ada.browser, answer))).toBe('410 task_tool.state_invalid');
    expect((await connections(bob.browser)).data).toEqual([]);
  });

  it('expires after ten minutes', async () => {
    const { browser, organization } = await app.signUpOwner();
    const answer = answerOf(await allow((await begin(browser)).data.url));
    const db = app.services.integrations.app.get<Database<IntegrationsSchema>>(Database);
    const elevenMinutes = sql<string>`expires_at - interval '11 minutes'`;
    await db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('oauth_states').set({ expires_at: elevenMinutes }).execute(),
    );
    expect(codeOf(await end(browser, answer))).toBe('410 task_tool.state_invalid');
    expect((await connections(browser)).data).toEqual([]);
  });

  it('returns an error if the tool refuses the code', async () => {
    const { browser } = await app.signUpOwner();
    const { state } = answerOf(await allow((await begin(browser)).data.url));
    expect(codeOf(await end(browser, { code: 'stolen', state }))).toBe('422 task_tool.token_refused');
  });

  it('is reported as not configured without client credentials, while personal tokens work', async () => {
    const bare = await startTestApp({ CLICKUP_API_URL: clickup.apiUrl });
    const { browser } = await bare.signUpOwner();
    const tools = (await browser.get<TaskTool[]>('/task-tool/providers')).data;
    expect(tools.find(({ key }) => key === 'clickup')!.oauth_configured).toBe(false);
    const answer = await begin(browser);
    expect(codeOf(answer)).toBe('409 task_tool.not_configured');
    expect(answer.body.title).toBe('OAuth credentials (client id and secret) must be configured in backend secrets');
    expect((await connectClickUp(browser, clickup)).kind).toBe('personal_token');
  });
});

describe('an admin', () => {
  let ada: OwnerSession;
  beforeAll(async () => {
    ada = await app.signUpOwner();
    await connectClickUp(ada.browser, clickup);
  });

  it('chooses workspace, space and list, and creates an integration whose changes are in the audit log', async () => {
    const chosen = chosenList(clickup, 'Customer tickets');
    const get = async (path: string) => (await ada.browser.get<TaskToolChoice[]>(`/task-tool/${path}`)).data.map(({ id }) => id);
    expect(await get('workspaces')).toContain(chosen.workspace_id);
    expect(await get(`spaces?workspace_id=${chosen.workspace_id}`)).toContain(chosen.space_id);
    expect(await get(`lists?space_id=${chosen.space_id}`)).toContain(chosen.list_id);
    const list = await ada.browser.get<TaskList>(`/task-tool/lists/${chosen.list_id}`);
    expect(list.data.proposed_statuses['waiting_for_customer']).toBe('Review');

    const created = await integrate(ada.browser, clickup);
    expect((await ada.browser.get<Integration[]>('/task-tool/integrations')).data.map(({ id }) => id)).toEqual([created.id]);
    const paused = await ada.browser.patch<Integration>(`/task-tool/integrations/${created.id}`, { is_active: false });
    expect(paused.data).toMatchObject({ is_active: false, pause_reason: 'by_hand', health: 'paused' });
    expect((await ada.browser.get(`/task-tool/integrations/${created.id}/sync-log`)).status).toBe(200);
    expect((await ada.browser.send('DELETE', `/task-tool/integrations/${created.id}`)).status).toBe(200);
    expect((await ada.browser.get<Integration[]>('/task-tool/integrations')).data).toEqual([]);
    // The organization's log contains the actor.
    await eventually(async () => {
      const { data } = await ada.browser.get<{ type: string }[]>('/audit-log?category=settings');
      expect(data.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['task_tool.connected', 'integration.created', 'integration.updated', 'integration.deleted']),
      );
    });
    expect(clickup.violations).toEqual([]);
  });

  it.each([
    ['no list', { list_id: '' }, '422 request.invalid', 'list_id'],
    ['an unknown list', { list_id: '4711' }, '404 task_tool.list_not_found', undefined],
    ['an unknown member', { organization_id: crypto.randomUUID() }, '422 request.invalid', 'organization_id'],
    [
      'a direction that the field does not support',
      { field_mappings: { customer_email: { direction: 'both' } } },
      '422 request.invalid',
      'field_mappings.customer_email.direction',
    ],
  ])('gets an error that names the problem with %s', async (_case, mistake, code, path) => {
    const answer = await ada.browser.post('/task-tool/integrations', { ...chosenList(clickup, 'Ideas'), ...mistake });
    expect([codeOf(answer), answer.body.errors?.[0]?.path]).toEqual([code, path]);
    if (path === 'list_id') expect(answer.body.errors![0]!.message).toBe('Please select workspace, space, and list');
  });

  it('of another organization finds neither the integration nor the connection', async () => {
    const { id } = await integrate(ada.browser, clickup, 'Ideas');
    const bob = await app.signUpOwner();
    expect(codeOf(await bob.browser.patch(`/task-tool/integrations/${id}`, { is_active: false }))).toBe('404 integration.not_found');
    expect(codeOf(await bob.browser.send('DELETE', `/task-tool/integrations/${id}`))).toBe('404 integration.not_found');
    expect(codeOf(await bob.browser.get(`/task-tool/integrations/${id}/sync-log`))).toBe('404 integration.not_found');
    expect(codeOf(await bob.browser.get('/task-tool/workspaces'))).toBe('409 task_tool.not_connected');
    expect(codeOf(await bob.browser.send('DELETE', '/task-tool/connection/clickup'))).toBe('409 task_tool.not_connected');
    expect((await bob.browser.get<Integration[]>('/task-tool/integrations')).data).toEqual([]);
    expect((await ada.browser.get<Integration[]>('/task-tool/integrations')).data).toMatchObject([{ id, is_active: true }]);
  });

  it.each<Role>(['manager', 'agent'])('has these permissions, but a role without them is refused: %s', async (role) => {
    const browser = app.as(role, ada.organization.id);
    const answers = await Promise.all([
      ...['providers', 'connection', 'workspaces', 'integrations'].map((path) => browser.get(`/task-tool/${path}`)),
      browser.post('/task-tool/connection', { provider: 'clickup', token: 'x' }),
      begin(browser),
      end(browser, { code: 'x', state: 'x' }),
      browser.send('DELETE', '/task-tool/connection/clickup'),
      browser.post('/task-tool/integrations', chosenList(clickup, 'Bugs')),
    ]);
    expect(answers.map(codeOf)).toEqual(Array(9).fill('403 permission.denied'));
  });

  it('disconnects, and can connect again', async () => {
    expect((await ada.browser.send('DELETE', '/task-tool/connection/clickup')).status).toBe(200);
    expect((await connections(ada.browser)).data).toEqual([]);
    expect((await ada.browser.get<Integration[]>('/task-tool/integrations')).data).toEqual([]);
    await connectClickUp(ada.browser, clickup);
    expect((await connections(ada.browser)).data).toMatchObject([{ state: 'connected' }]);
  });
});
