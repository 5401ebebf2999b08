import { deleteOidcConnection, readSession, type IssuedSession } from '@tandem/contracts';
import { asSession, IdentityUnderTest } from '../../test/identity';
import { anOrganization, connect, SignInUnderTest, type ConnectedOrganization } from '../../test/oidc';
import { OpenIdProviderForTest } from '../../test/oidc-provider';
import { SignIns } from '../../test/sign-ins';

let identity: IdentityUnderTest;
let provider: OpenIdProviderForTest;
let acme: ConnectedOrganization;
beforeAll(async () => {
  [identity, provider] = await Promise.all([IdentityUnderTest.start({ ALLOW_PRIVATE_OUTBOUND: 'true' }), OpenIdProviderForTest.start()]);
});
afterAll(() => Promise.all([identity?.close(), provider?.close()]));
beforeEach(async () => {
  acme = await anOrganization(identity);
  expect(await connect(identity, provider, acme)).toMatchObject({ status: 200 });
  provider.people.set('owner', { email: acme.owner.email, email_verified: true });
});
afterEach(() => (provider.onRequest = () => undefined));

/** Runs `work` before the provider responds at this path. */
const during = (path: string, work: () => Promise<unknown>) => {
  provider.onRequest = async ({ url }) => {
    if (url!.startsWith(path)) await work();
  };
};
const signIn = () => new SignInUnderTest(identity, provider, acme.organization).signIn('owner');
const inAcme = <T>(work: Parameters<typeof identity.db.forTenant<T>>[1]) =>
  identity.db.forTenant({ organization_id: acme.organization.id }, work);

describe('a sign-in at a slow provider', () => {
  it.each([
    ['disconnected', () => identity.call(deleteOidcConnection, acme.admin)],
    ['switched off', () => connect(identity, provider, acme, { is_active: false })],
    ['connected as another client', () => connect(identity, provider, acme, { client_id: 'another', client_secret: 'x' })],
  ])('fails, and links no user, if the provider was %s in the meantime', async (_what, change) => {
    const attempt = new SignInUnderTest(identity, provider, acme.organization);
    await attempt.begin();
    const callback = await attempt.visit('owner');
    const before = (await identity.weight()).sessions;
    during('/token', async () => expect(await change()).toMatchObject({ status: 200 }));
    expect(await attempt.finish(callback)).toMatchObject({ status: 401, data: { code: 'oidc.failed' } });
    expect((await identity.weight()).sessions).toBe(before);
    expect(await inAcme((tx) => tx.selectFrom('oidc_identities').selectAll().execute())).toEqual([]);
  });

  it('is recorded with the provider that authenticated the user', async () => {
    expect(await signIn()).toMatchObject({ status: 200 });
    const rows = await inAcme((tx) => tx.selectFrom('audit_log').select('target').where('type', '=', 'sign_in.succeeded').execute());
    expect(rows).toEqual([{ target: provider.issuer }]);
  });
});

describe('an admin who is demoted while the metadata is read', () => {
  it('cannot connect the provider', async () => {
    const changes = { auto_join: true, is_active: true };
    during('/.well-known/openid-configuration', () => inAcme((tx) => tx.updateTable('members').set({ role: 'agent' }).execute()));
    expect(await connect(identity, provider, acme, changes)).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    expect(await inAcme((tx) => tx.selectFrom('oidc_connections').select('auto_join').execute())).toEqual([{ auto_join: false }]);
    expect(await identity.call(deleteOidcConnection, acme.admin)).toMatchObject({ status: 403 });
  });
});

describe('the sessions of users authenticated by a provider', () => {
  const sessionOf = async () => ((await signIn()).data as unknown as { issued: IssuedSession }).issued.session;
  const isOpen = async (session: IssuedSession['session']) => (await identity.call(readSession, asSession(session))).status === 200;

  it.each([
    ['disconnected', () => identity.call(deleteOidcConnection, acme.admin)],
    ['switched off', () => connect(identity, provider, acme, { is_active: false })],
    ['another client', () => connect(identity, provider, acme, { client_id: 'another', client_secret: 'x' })],
  ])("end if it is %s; other users' sessions do not", async (_what, change) => {
    const signIns = new SignIns(identity);
    const { session: unconcerned } = await signIns.of(await signIns.join(acme.organization.id, 'agent'));
    const session = await sessionOf();
    expect(await isOpen(session)).toBe(true);
    const { version } = await signIns.access(acme.owner.user_id);
    expect(await change()).toMatchObject({ status: 200 });
    expect([await isOpen(session), await isOpen(unconcerned)]).toEqual([false, true]);
    expect((await signIns.access(acme.owner.user_id)).announced).toBe(version + 1);
  });

  it('continue if only its secret or auto-join changes, and in the browser that disconnects it', async () => {
    const session = await sessionOf();
    expect(await connect(identity, provider, acme, { auto_join: true })).toMatchObject({ status: 200 });
    expect(await isOpen(session)).toBe(true);
    expect(await identity.call(deleteOidcConnection, asSession(session))).toMatchObject({ status: 200 });
    expect(await isOpen(session)).toBe(true);
  });
});
