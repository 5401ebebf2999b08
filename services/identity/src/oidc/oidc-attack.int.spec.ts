import { beginOidc, finishOidc } from '@tandem/contracts';
import { newToken } from '@tandem/platform';
import { anonymous, gateway, IdentityUnderTest, type Answer } from '../../test/identity';
import { anOrganization, connect, SignInUnderTest, type ConnectedOrganization } from '../../test/oidc';
import { OpenIdProviderForTest } from '../../test/oidc-provider';

let identity: IdentityUnderTest;
let provider: OpenIdProviderForTest;
let acme: ConnectedOrganization;
let attempt: SignInUnderTest;
beforeAll(async () => {
  [identity, provider] = await Promise.all([IdentityUnderTest.start({ ALLOW_PRIVATE_OUTBOUND: 'true' }), OpenIdProviderForTest.start()]);
  acme = await anOrganization(identity);
  await connect(identity, provider, acme);
  provider.people.set('ada', { email: acme.owner.email, email_verified: true });
});
afterAll(() => Promise.all([identity?.close(), provider?.close()]));
beforeEach(async () => {
  attempt = new SignInUnderTest(identity, provider, acme.organization);
  expect(await attempt.begin()).toMatchObject({ status: 200 });
});
afterEach(() => provider.tamper.clear());

const sessions = async () => (await identity.weight()).sessions;
async function refused(work: Promise<Answer>): Promise<void> {
  const before = await sessions();
  expect(await work).toMatchObject({ status: 401, data: { code: 'oidc.failed' } });
  expect(await sessions()).toBe(before);
}
const withParameter = (url: URL, name: string, value: string): URL => {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed;
};

it('requests a code with PKCE, state and nonce of 32 random bytes each', () => {
  const asked = Object.fromEntries(new URL(attempt.authorizeUrl).searchParams);
  const random = expect.stringMatching(/^[\w-]{43}$/);
  expect(asked).toEqual({
    client_id: 'tandem',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `http://localhost:3000/api/v1/auth/oidc/callback/${acme.organization.id}`,
    code_challenge_method: 'S256',
    code_challenge: random,
    state: random,
    nonce: random,
  });
});

it('stores neither state nor verifier in plain text', async () => {
  const rows = await identity.db.asSystem('test', (tx) => tx.selectFrom('oidc_attempts').selectAll().execute());
  const state = new URL(attempt.authorizeUrl).searchParams.get('state')!;
  expect(JSON.stringify(rows)).not.toContain(state);
  expect(rows.at(-1)!.sealed_verifier).toMatch(/^test\./);
});

it('succeeds without interference', async () => {
  expect(await attempt.finish(await attempt.visit('ada'))).toMatchObject({ status: 200 });
});

it('accepts a response once', async () => {
  const callback = await attempt.visit('ada');
  expect(await attempt.finish(callback)).toMatchObject({ status: 200 });
  await refused(attempt.finish(callback));
});

it('accepts one of two concurrent responses', async () => {
  const callback = await attempt.visit('ada');
  const answers = await Promise.all([attempt.finish(callback), attempt.finish(callback)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

it.each([
  ['another browser', { binding: newToken() }],
  ['a browser without the cookie', { binding: '' }],
])('rejects %s, and consumes the attempt', async (_what, more) => {
  const callback = await attempt.visit('ada');
  await refused(attempt.finish(callback, more));
  await refused(attempt.finish(callback));
});

it('rejects an unknown or missing state', async () => {
  const callback = await attempt.visit('ada');
  await refused(attempt.finish(withParameter(callback, 'state', newToken())));
  callback.searchParams.delete('state');
  await refused(attempt.finish(callback));
});

it('rejects two states', async () => {
  const callback = await attempt.visit('ada');
  callback.searchParams.append('state', newToken());
  await refused(attempt.finish(callback));
});

it('rejects the code of another attempt, because the verifier differs', async () => {
  const other = new SignInUnderTest(identity, provider, acme.organization);
  await other.begin();
  const [mine, theirs] = [await attempt.visit('ada'), await other.visit('ada')];
  await refused(attempt.finish(withParameter(mine, 'code', theirs.searchParams.get('code')!)));
});

it("rejects a response on another organization's URL, so a provider cannot collect its codes", async () => {
  const other = await anOrganization(identity, 'Other');
  await refused(attempt.finish(await attempt.visit('ada'), { organization_id: other.organization.id }));
});

it('rejects another issuer', async () => {
  await refused(attempt.finish(withParameter(await attempt.visit('ada'), 'iss', 'https://other-issuer.example')));
});

it('rejects another nonce', async () => {
  attempt.authorizeUrl = withParameter(new URL(attempt.authorizeUrl), 'nonce', newToken()).href;
  await refused(attempt.finish(await attempt.visit('ada')));
});

it('rejects a response after ten minutes, and deletes the attempt', async () => {
  const callback = await attempt.visit('ada');
  const past = new Date(Date.now() - 1_000).toISOString();
  await identity.db.asSystem('test', (tx) => tx.updateTable('oidc_attempts').set({ expires_at: past }).execute());
  await refused(attempt.finish(callback));
  await identity.db.asSystem('test', (tx) => tx.updateTable('oidc_attempts').set({ expires_at: past }).execute());
  await new SignInUnderTest(identity, provider, acme.organization).begin();
  const rows = await identity.db.asSystem('test', (tx) => tx.selectFrom('oidc_attempts').selectAll().execute());
  expect(rows).toHaveLength(1);
  const minutes = (Date.parse(rows[0]!.expires_at) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThanOrEqual(10);
});

const past = Math.floor(Date.now() / 1000) - 3600;
it.each([
  ['of another subject', { sub: 'another-subject' }],
  ['for another client', { aud: 'another' }],
  ['of another issuer', { iss: 'https://other-issuer.example' }],
  ['that has expired', { exp: past, iat: past - 60 }],
  ['with another nonce', { nonce: 'another' }],
  ['without a nonce', { nonce: undefined }],
])('rejects a token %s, even if the provider signed it', async (_what, lie) => {
  provider.reissue((claims) => ({ ...claims, ...lie }));
  await refused(attempt.finish(await attempt.visit('ada')));
});

it('rejects a token of another key', async () => {
  provider.reissue((claims) => ({ ...claims, email: acme.owner.email, email_verified: true }), 'foreign');
  await refused(attempt.finish(await attempt.visit('ada')));
});

it('rejects an unsigned token', async () => {
  provider.tamper.set('/token', (body) => {
    const [, payload] = (body.id_token as string).split('.');
    return { ...body, id_token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.` };
  });
  await refused(attempt.finish(await attempt.visit('ada')));
});

it('rejects a response without a token', async () => {
  provider.tamper.set('/token', ({ id_token: _, ...body }) => body);
  await refused(attempt.finish(await attempt.visit('ada')));
});

it('rejects user info of another subject', async () => {
  provider.tamper.set('/me', (body) => ({ ...body, sub: 'another-subject' }));
  await refused(attempt.finish(await attempt.visit('ada')));
});

it('ends if the user cancels at the provider', async () => {
  const callback = await attempt.visit('ada');
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');
  await refused(attempt.finish(callback));
});

it.each([
  ['no query', ''],
  ['rubbish', '%00%ff&&&state'],
  ['a long code', `state=x&code=${'x'.repeat(7_000)}`],
])('returns the same error for %s', async (_what, query) => {
  await refused(identity.call(finishOidc, gateway, { body: { organization_id: acme.organization.id, query, binding: 'x' } }));
});

it.each([
  ['no subdomain', { subdomain: '' }, 'subdomain'],
  ['a subdomain of another type', { subdomain: ['acme'] }, 'subdomain'],
  ['no binding', { binding: undefined }, 'binding'],
  ['a binding that is not a hash', { binding: 'x' }, 'binding'],
  ['a page of 10 MB', { redirect: 'x'.repeat(500_000) }, 'redirect'],
  ['another issuer', { issuer: 'https://evil.example' }, 'issuer'],
])('does not start with %s, and names the field', async (_what, more, path) => {
  const body = { subdomain: acme.organization.subdomain, binding: '0'.repeat(64), ...more };
  const answer = await identity.call(beginOidc, anonymous(), { body });
  expect(answer).toMatchObject({ status: 422, data: { code: 'request.invalid' } });
  expect(answer.data.errors!.map((error) => error.path)).toContain(path);
});

describe('while the provider is down', () => {
  it('returns an error at the start, and opens no session', async () => {
    const passing = await OpenIdProviderForTest.start();
    const remote = await anOrganization(identity, 'Remote');
    await connect(identity, passing, remote);
    const begun = new SignInUnderTest(identity, passing, remote.organization);
    await begun.begin();
    const callback = await begun.visit('ada');
    await passing.close();
    expect(await new SignInUnderTest(identity, passing, remote.organization).begin()).toMatchObject({
      status: 422,
      data: { code: 'oidc.unreachable' },
    });
    await refused(begun.finish(callback));
  });

  it('does not call private addresses unless the operator allows them', async () => {
    const guarded = await IdentityUnderTest.start();
    const inside = await anOrganization(guarded, 'Inside');
    const row = { organization_id: inside.organization.id, issuer: provider.issuer, client_id: 'tandem', sealed_client_secret: null };
    await guarded.db.forTenant({ organization_id: inside.organization.id }, (tx) =>
      tx.insertInto('oidc_connections').values(row).execute(),
    );
    const calls = provider.calls.length;
    expect(await new SignInUnderTest(guarded, provider, inside.organization).begin()).toMatchObject({
      status: 422,
      data: { code: 'oidc.unreachable' },
    });
    expect(provider.calls).toHaveLength(calls);
    await guarded.close();
  });
});
