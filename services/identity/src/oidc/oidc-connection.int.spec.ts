import { beginOidc, deleteOidcConnection, readOidcConnection, saveOidcConnection } from '@tandem/contracts';
import { anonymous, asPerson, IdentityUnderTest } from '../../test/identity';
import { anOrganization, client_id, client_secret, connect, redirectUri, SignInUnderTest } from '../../test/oidc';
import { OpenIdProviderForTest } from '../../test/oidc-provider';

let identity: IdentityUnderTest;
let guarded: IdentityUnderTest;
let provider: OpenIdProviderForTest;
beforeAll(async () => {
  [identity, guarded, provider] = await Promise.all([
    IdentityUnderTest.start({ ALLOW_PRIVATE_OUTBOUND: 'true' }),
    IdentityUnderTest.start(),
    OpenIdProviderForTest.start(),
  ]);
});
afterAll(() => Promise.all([identity?.close(), guarded?.close(), provider?.close()]));
afterEach(() => provider.tamper.clear());

const notes = async (organization_id: string) =>
  identity.db.forTenant({ organization_id }, (tx) =>
    tx
      .selectFrom('audit_log')
      .select(['type', 'target', 'changes', 'actor_id'])
      .where('type', 'in', ['oidc.connected', 'oidc.disconnected'])
      .orderBy('id')
      .execute(),
  );
const stored = (organization_id: string) =>
  identity.db.forTenant({ organization_id }, (tx) => tx.selectFrom('oidc_connections').selectAll().execute());

describe('connecting a provider', () => {
  it('reads its metadata, seals the secret, never returns it, and is recorded without it', async () => {
    const acme = await anOrganization(identity);
    const answer = await connect(identity, provider, acme);
    const connection = {
      issuer: provider.issuer,
      client_id,
      has_client_secret: true,
      is_active: true,
      auto_join: false,
      redirect_uri: redirectUri(acme.organization.id),
      updated_at: expect.any(String),
    };
    expect(answer).toEqual({ status: 200, data: connection });
    expect(await identity.call(readOidcConnection, acme.admin)).toEqual({ status: 200, data: connection });
    const [row] = await stored(acme.organization.id);
    expect(JSON.stringify(row)).not.toContain(client_secret);
    expect(identity.secrets.open('oidc-client-secret', row!.sealed_client_secret!)).toBe(client_secret);
    expect(await notes(acme.organization.id)).toEqual([
      {
        type: 'oidc.connected',
        target: provider.issuer,
        actor_id: acme.owner.user_id,
        changes: {
          issuer: { from: null, to: provider.issuer },
          client_id: { from: null, to: client_id },
          is_active: { from: null, to: true },
          auto_join: { from: null, to: false },
        },
      },
    ]);
  });

  it('keeps the stored secret if none is given, and records only the changes', async () => {
    const acme = await anOrganization(identity);
    await connect(identity, provider, acme);
    const answer = await connect(identity, provider, acme, { client_secret: undefined, auto_join: true });
    expect(answer.data).toMatchObject({ has_client_secret: true, auto_join: true });
    expect((await notes(acme.organization.id)).at(-1)!.changes).toEqual({ auto_join: { from: false, to: true } });
  });

  it('does not send the stored secret to another provider', async () => {
    const acme = await anOrganization(identity);
    await connect(identity, provider, acme);
    const other = await OpenIdProviderForTest.start();
    const answer = await connect(identity, other, acme, { client_secret: undefined });
    expect(answer).toMatchObject({ status: 422, data: { code: 'request.invalid', errors: [{ path: 'client_secret' }] } });
    expect(other.calls).toEqual([]);
    await other.close();
    expect((await stored(acme.organization.id))[0]!.issuer).toBe(provider.issuer);
  });

  it('can be disabled while the provider is down, but not enabled', async () => {
    const acme = await anOrganization(identity);
    const passing = await OpenIdProviderForTest.start();
    await connect(identity, passing, acme);
    await passing.close();
    expect((await connect(identity, passing, acme, { is_active: false })).data).toMatchObject({ is_active: false });
    const answer = await connect(identity, passing, acme);
    expect(answer).toMatchObject({ status: 422, data: { code: 'oidc.unreachable', detail: 'The server refused the connection' } });
    expect((await identity.call(readOidcConnection, acme.admin)).data).toMatchObject({ is_active: false });
  });

  it.each([
    ['another issuer', { issuer: 'https://other-issuer.example' }, 'The provider reports a different issuer'],
    ['no issuer', { issuer: undefined }, 'The response at this address is not OpenID metadata'],
    ['no keys', { jwks_uri: undefined }, "The provider's metadata has no jwks_uri"],
    [
      'a script in the place of its page',
      { authorization_endpoint: 'javascript:alert(1)' },
      "The provider's authorization_endpoint cannot be used: Only https addresses are allowed",
    ],
    ['an oversized response', { padding: 'x'.repeat(300_000) }, 'A response of the provider is too long'],
  ])('is rejected if the metadata has %s, and saves nothing', async (_what, lie, detail) => {
    const acme = await anOrganization(identity);
    provider.tamper.set('/.well-known/openid-configuration', (body) => ({ ...body, ...lie }));
    expect(await connect(identity, provider, acme)).toMatchObject({ status: 422, data: { code: 'oidc.unreachable', detail } });
    expect(await stored(acme.organization.id)).toEqual([]);
    expect(await notes(acme.organization.id)).toEqual([]);
  });

  it('never returns the content of a URL that is not a provider', async () => {
    const acme = await anOrganization(identity);
    const answer = await connect(identity, provider, acme, { issuer: `${provider.issuer}/jwks` });
    expect(answer).toMatchObject({
      status: 422,
      data: { code: 'oidc.unreachable', detail: 'No OpenID metadata at this address' },
    });
  });

  it.each([
    ['an issuer that is not a URL', { issuer: 'somewhere' }, 'issuer'],
    ['no issuer', { issuer: '  ' }, 'issuer'],
    ['an issuer that is too long', { issuer: `https://${'a'.repeat(500)}.example` }, 'issuer'],
    ['an issuer of another type', { issuer: 7 }, 'issuer'],
    ['NUL in the issuer', { issuer: 'https://id.example\u0000' }, 'issuer'],
    ['no client id', { client_id: '' }, 'client_id'],
    ['an empty secret', { client_secret: '' }, 'client_secret'],
    ['a string as a boolean', { auto_join: 'yes' }, 'auto_join'],
    ['another organization', { organization_id: '01980000-0000-7000-8000-000000000001' }, 'organization_id'],
  ])('is rejected with %s, and names the field', async (_what, more, path) => {
    const acme = await anOrganization(identity);
    const answer = await connect(identity, provider, acme, more);
    expect(answer).toMatchObject({ status: 422, data: { code: 'request.invalid' } });
    expect(answer.data.errors!.map((error) => error.path)).toContain(path);
    expect(await stored(acme.organization.id)).toEqual([]);
  });

  it.each(['http://127.0.0.1:8080', 'https://127.0.0.1', 'https://10.0.0.8', 'https://[::1]', 'https://metadata.internal'])(
    'is rejected for the private address %s unless the operator allows it',
    async (issuer) => {
      const acme = await anOrganization(guarded);
      const answer = await guarded.call(saveOidcConnection, acme.admin, { body: { issuer, client_id } });
      expect(answer).toMatchObject({ status: 422, data: { code: 'request.invalid', errors: [{ path: 'issuer' }] } });
    },
  );

  it('is visible only to admins of the organization', async () => {
    const acme = await anOrganization(identity);
    await connect(identity, provider, acme);
    const body = { issuer: provider.issuer, client_id };
    for (const role of ['manager', 'agent'] as const) {
      const ctx = asPerson(acme.owner, { organization_id: acme.organization.id, role });
      for (const op of [readOidcConnection, saveOidcConnection, deleteOidcConnection])
        expect(await identity.call(op, ctx, op.method === 'PUT' ? { body } : {})).toMatchObject({ status: 403 });
    }
    const other = await anOrganization(identity, 'Other');
    expect(await identity.call(readOidcConnection, other.admin)).toEqual({ status: 200, data: null });
    await identity.call(deleteOidcConnection, other.admin);
    expect(await stored(acme.organization.id)).toHaveLength(1);
    expect(await notes(other.organization.id)).toEqual([]);
  });
});

describe('disconnecting a provider', () => {
  it('ends sign-in there, deletes the identities, and is recorded once', async () => {
    const acme = await anOrganization(identity);
    await connect(identity, provider, acme, { auto_join: true });
    provider.people.set('kim', { email: 'kim@disconnected.example', email_verified: true });
    expect(await new SignInUnderTest(identity, provider, acme.organization).signIn('kim')).toMatchObject({ status: 200 });
    for (let time = 0; time < 2; time += 1)
      expect(await identity.call(deleteOidcConnection, acme.admin)).toEqual({ status: 200, data: {} });
    expect(await identity.call(readOidcConnection, acme.admin)).toEqual({ status: 200, data: null });
    const identities = await identity.db.forTenant({ organization_id: acme.organization.id }, (tx) =>
      tx.selectFrom('oidc_identities').selectAll().execute(),
    );
    expect(identities).toEqual([]);
    expect((await notes(acme.organization.id)).map(({ type }) => type)).toEqual(['oidc.connected', 'oidc.disconnected']);
    expect(await new SignInUnderTest(identity, provider, acme.organization).begin()).toMatchObject({
      status: 404,
      data: { code: 'oidc.not_connected' },
    });
  });
});

describe('whether an organization has a provider', () => {
  it('has the same response as an unknown organization', async () => {
    const [none, inactive] = [await anOrganization(identity, 'None'), await anOrganization(identity, 'Inactive')];
    await connect(identity, provider, inactive, { is_active: false });
    const binding = '0'.repeat(64);
    const answers = await Promise.all(
      ['nobody-has-this', none.organization.subdomain, inactive.organization.subdomain].map((subdomain) =>
        identity.call(beginOidc, anonymous(), { body: { subdomain, binding } }),
      ),
    );
    for (const answer of answers) expect({ ...answer, data: { ...answer.data, request_id: '' } }).toEqual(plain(answers[0]!));
    expect(answers[0]).toMatchObject({ status: 404, data: { code: 'oidc.not_connected' } });
  });
});

const plain = <T extends { data: object }>(answer: T) => ({ ...answer, data: { ...answer.data, request_id: '' } });
