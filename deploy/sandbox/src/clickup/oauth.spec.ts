import { type Caller, type Json, openSandbox } from './testing';

let api: Caller;
const redirect = 'http://localhost:3000/api/callback?kept=1';

beforeEach(async () => void (api = await openSandbox()));
afterEach(() => api.sandbox.close());

const page = (query: Record<string, string>) => fetch(`${api.sandbox.authorizeUrl}?${new URLSearchParams(query).toString()}`);

async function decide(fields: [string, string][], headers: Record<string, string> = { origin: api.sandbox.url }): Promise<Response> {
  const form = new URLSearchParams([['client_id', 'sandbox-client'], ['redirect_uri', redirect], ['state', 's&1'], ...fields]);
  return fetch(api.sandbox.authorizeUrl, { method: 'POST', body: form, headers, redirect: 'manual' });
}

const exchange = async (more: Json = {}) =>
  api.post('/v2/oauth/token', { client_id: 'sandbox-client', client_secret: 'sandbox-secret', code: api.sandbox.issueCode(), ...more });

it('the user chooses workspaces, and no part of the request becomes markup', async () => {
  const answer = await page({ client_id: 'sandbox-client', redirect_uri: redirect, state: '"><script>' });
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(html).toContain('Tandem wants to connect');
  expect(html).toContain('localhost:3000');
  expect(html).not.toContain('"><script>');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('the approval becomes a token for the chosen workspaces, once', async () => {
  const { id } = api.sandbox.team('Other');
  const answer = await decide([
    ['decision', 'allow'],
    ['team', id],
  ]);
  const target = new URL(answer.headers.get('location') ?? '');
  expect([answer.status, target.searchParams.get('state'), target.searchParams.get('kept')]).toEqual([303, 's&1', '1']);
  const code = target.searchParams.get('code');
  const { body } = await exchange({ code });
  api.token = `Bearer ${body.access_token}`;
  expect((await api.get('/v2/team')).body.teams).toMatchObject([{ id }]);
  expect(await exchange({ code })).toMatchObject({ status: 400, body: { ECODE: 'OAUTH_014' } });
});

it('canceling or choosing nothing returns no code', async () => {
  const target = new URL((await decide([['decision', 'cancel']])).headers.get('location') ?? '');
  expect([target.searchParams.get('error'), target.searchParams.get('code'), target.searchParams.get('state')]).toEqual([
    'access_denied',
    null,
    's&1',
  ]);
  expect((await decide([['decision', 'allow']])).status).toBe(400);
});

it('another site cannot approve', async () => {
  const foreign: Record<string, string>[] = [{ origin: 'http://evil.test' }, { origin: 'null' }, {}];
  for (const headers of foreign) expect((await decide([['decision', 'allow']], headers)).status).toBe(403);
});

it('an unknown application and a wrong address are refused', async () => {
  expect((await page({ client_id: 'nobody', redirect_uri: redirect })).status).toBe(400);
  await api.sandbox.close();
  api = await openSandbox({ redirectUris: ['http://localhost:1/cb'] });
  const answer = await page({ client_id: 'sandbox-client', redirect_uri: redirect });
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('OAUTH_007')]);
});

it.each([
  [{ client_id: 'x' }, 400, 'OAUTH_010'],
  [{ client_secret: 'x' }, 401, 'OAUTH_011'],
  [{ code: 'x' }, 400, 'OAUTH_013'],
  [{ code: undefined }, 400, 'SANDBOX_INPUT'],
])('no token is issued for %j', async (more, status, code) => {
  expect(await exchange(more)).toMatchObject({ status, body: { ECODE: code } });
});
