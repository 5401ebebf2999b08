import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newToken } from '@tandem/platform';
import { OpenIdProviderForTest } from '../../test/oidc-provider';
import { OpenIdProvider, ProviderProblem, type ProviderClient } from './openid-provider';

const open = { allowHttp: true, allowPrivate: true };
const redirect_uri = 'http://localhost:3000/api/v1/auth/oidc/callback/acme';

let provider: OpenIdProviderForTest;
let client: ProviderClient;
beforeAll(async () => {
  provider = await OpenIdProviderForTest.start();
  client = { issuer: provider.issuer, client_id: 'tandem', client_secret: 'a secret:with/signs that%need +care' };
  await provider.register({ client_id: client.client_id, client_secret: client.client_secret!, redirect_uri });
  await provider.register({ client_id: 'public', redirect_uri });
  provider.people.set('ada', { email: 'ada@example.com', email_verified: true, given_name: 'Ada' });
});
afterAll(() => provider?.close());
afterEach(() => provider.tamper.clear());

async function signIn(as: ProviderClient) {
  const attempt = { state: newToken(), nonce: newToken(), verifier: newToken() };
  const authorize = await (await OpenIdProvider.discover(as, open)).authorizeUrl({ redirect_uri, ...attempt });
  const callback = await provider.visit(authorize, 'ada');
  return (await OpenIdProvider.discover(as, open)).claimsOf(callback, attempt);
}
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as ProviderProblem,
  );

it('authenticates with a secret of any characters', async () => {
  expect(await signIn(client)).toMatchObject({ subject: 'ada', email: 'ada@example.com', email_verified: true, given_name: 'Ada' });
});

it('authenticates with PKCE only if there is no secret', async () => {
  expect(await signIn({ ...client, client_id: 'public', client_secret: undefined })).toMatchObject({ subject: 'ada' });
});

it('sends the secret in the form if the provider requires it', async () => {
  let authorization: unknown;
  await provider.register({ client_id: 'form', client_secret: 'hush', redirect_uri, token_endpoint_auth_method: 'client_secret_post' });
  provider.tamper.set('/.well-known/openid-configuration', (body) => ({
    ...body,
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  }));
  provider.onRequest = ({ url, headers }) => {
    if (url === '/token') authorization = headers.authorization;
  };
  expect(await signIn({ ...client, client_id: 'form', client_secret: 'hush' })).toMatchObject({ subject: 'ada' });
  expect(authorization).toBeUndefined();
});

it('names a wrong secret as the reason, without its value', async () => {
  const problem = await problemOf(signIn({ ...client, client_secret: 'wrong' }));
  expect(problem).toMatchObject({ name: 'ProviderProblem', reason: 'invalid_client' });
  expect(JSON.stringify([problem!.message, problem!.reason])).not.toContain('wrong');
});

describe('an invalid provider', () => {
  let server: Server;
  let answer: (path: string) => { status?: number; type?: string; body?: string; headers?: Record<string, string>; never?: boolean };
  const calls: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      calls.push(request.url!);
      const { status = 200, type = 'application/json', body = '', headers = {}, never } = answer(request.url!);
      if (!never) response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  it.each([
    ['answers with an error', { status: 500, body: 'the secret of somebody' }, 'No OpenID metadata at this address'],
    [
      'answers with a page',
      { type: 'text/html', body: '<h1>the secret of somebody</h1>' },
      'The response at this address is not OpenID metadata',
    ],
    ['answers with half a document', { body: '{"issuer":"the secret' }, 'The response at this address is not OpenID metadata'],
    ['answers with a list', { body: '["the secret of somebody"]' }, 'The response at this address is not OpenID metadata'],
    ['answers without end', { body: `"${'the secret of somebody '.repeat(20_000)}"` }, 'A response of the provider is too long'],
    ['leads elsewhere', { status: 302, headers: { location: '/elsewhere' } }, 'No OpenID metadata at this address'],
    ['does not answer', { never: true }, 'The server did not respond in time'],
  ])('is rejected with our own message if it %s', async (_what, how, message) => {
    answer = () => how;
    calls.length = 0;
    const problem = await problemOf(OpenIdProvider.discover({ ...client, issuer: issuer() }, open));
    expect(problem).toMatchObject({ name: 'ProviderProblem', message });
    expect(calls).toEqual(['/.well-known/openid-configuration']);
  });

  it('is not called at a private address unless the operator allows it', async () => {
    const problem = await problemOf(OpenIdProvider.discover({ ...client, issuer: issuer() }, { allowHttp: true }));
    expect(problem).toMatchObject({ name: 'ProviderProblem', reason: 'unsafe_address' });
  });
});
