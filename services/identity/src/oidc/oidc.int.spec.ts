import { memberJoined, updateMember, type IssuedSession } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { IdentityUnderTest, password, type Answer } from '../../test/identity';
import { anOrganization, connect, SignInUnderTest, type ConnectedOrganization } from '../../test/oidc';
import { OpenIdProviderForTest } from '../../test/oidc-provider';
import { passwordMatches } from '../account/password';

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
});
afterEach(() => {
  provider.tamper.clear();
  provider.people.clear();
});

const signIn = (subject: string, redirect?: string) => new SignInUnderTest(identity, provider, acme.organization).signIn(subject, redirect);
const issuedBy = ({ status, data }: Answer): IssuedSession => {
  expect([status, data.code]).toEqual([200, undefined]);
  return (data as unknown as { issued: IssuedSession }).issued;
};
const inAcme = <T>(work: Parameters<typeof identity.db.forTenant<T>>[1]) =>
  identity.db.forTenant({ organization_id: acme.organization.id }, work);
const identities = () => inAcme((tx) => tx.selectFrom('oidc_identities').select(['issuer', 'subject', 'user_id']).execute());
const notes = () => inAcme((tx) => tx.selectFrom('audit_log').select(['type', 'actor_id', 'target', 'ip']).orderBy('id').execute());
const vouched = (email: string, more = {}) => ({ email, email_verified: true, ...more });

/** Another member of Acme, besides its owner. */
async function aColleague(is_active = true) {
  const person = await identity.aPerson();
  const { organization } = acme;
  await inAcme((tx) =>
    tx.insertInto('members').values({ organization_id: organization.id, user_id: person.user_id, role: 'manager', is_active }).execute(),
  );
  return person;
}
const refusesEverything = async (answer: Answer, code: string) => {
  expect(answer.data.code).toBe(code);
  expect(await identities()).toEqual([]);
};

describe('a user whose address the provider has verified', () => {
  it('is linked to the member with this address, and later found by the subject, even if the address changes', async () => {
    const colleague = await aColleague();
    provider.people.set('c-1', vouched(colleague.email.toUpperCase()));
    const { session } = issuedBy(await signIn('c-1'));
    expect(session.profile).toMatchObject({ user_id: colleague.user_id, role: 'manager', organization_id: acme.organization.id });
    expect(await identities()).toEqual([{ issuer: provider.issuer, subject: 'c-1', user_id: colleague.user_id }]);
    provider.people.set('c-1', { email: 'renamed@example.com', email_verified: false });
    expect(issuedBy(await signIn('c-1')).session.profile.user_id).toBe(colleague.user_id);
    expect(await identities()).toHaveLength(1);
  });

  it('is recorded once per sign-in, with the client address', async () => {
    const colleague = await aColleague();
    provider.people.set('c-2', vouched(colleague.email));
    issuedBy(await signIn('c-2'));
    expect((await notes()).filter(({ type }) => type === 'sign_in.succeeded')).toEqual([
      { type: 'sign_in.succeeded', actor_id: colleague.user_id, target: provider.issuer, ip: '203.0.113.7' },
    ]);
  });

  it('is redirected to the requested page, and never outside the product', async () => {
    const colleague = await aColleague();
    provider.people.set('c-3', vouched(colleague.email));
    expect((await signIn('c-3', '/tickets?status=open')).data.redirect).toBe('/tickets?status=open');
    expect((await signIn('c-3', '//evil.example')).data.redirect).toBe('/dashboard');
  });

  it('can sign in if only the token contains the address', async () => {
    const colleague = await aColleague();
    provider.reissue((claims) => ({ ...claims, ...vouched(colleague.email) }));
    expect(issuedBy(await signIn('c-4')).session.profile.user_id).toBe(colleague.user_id);
  });

  it('does not get the account of the previous owner of the address', async () => {
    const colleague = await aColleague();
    provider.people.set('first', vouched(colleague.email));
    issuedBy(await signIn('first'));
    provider.people.set('second', vouched(colleague.email));
    expect((await signIn('second')).data.code).toBe('oidc.not_a_member');
    expect(await identities()).toHaveLength(1);
  });

  it('cannot sign in if deactivated, and no identity is stored', async () => {
    const colleague = await aColleague(false);
    provider.people.set('c-5', vouched(colleague.email));
    await refusesEverything(await signIn('c-5'), 'account.inactive');
  });

  it('cannot sign in after a deactivation', async () => {
    const colleague = await aColleague();
    provider.people.set('c-6', vouched(colleague.email));
    issuedBy(await signIn('c-6'));
    await identity.call(updateMember, acme.admin, { params: { userId: colleague.user_id }, body: { is_active: false } });
    expect(await signIn('c-6')).toMatchObject({ status: 403, data: { code: 'account.inactive' } });
  });
});

describe('a user who is not a member', () => {
  it.each([
    ['an unknown address', vouched('nobody@example.com')],
    ['no address', {}],
  ])('is rejected with %s', async (_what, person) => {
    provider.people.set('n-1', person);
    await refusesEverything(await signIn('n-1'), 'oidc.not_a_member');
  });

  it.each([false, undefined, 'true'])(
    "is rejected with a member's address that the provider has not verified: %j",
    async (email_verified) => {
      const colleague = await aColleague();
      provider.people.set('n-2', { email: colleague.email, email_verified });
      await refusesEverything(await signIn('n-2'), 'oidc.not_a_member');
    },
  );

  it.each([true, false])("is rejected with the address of another organization's member (auto-join %j)", async (auto_join) => {
    await connect(identity, provider, acme, { auto_join });
    const other = await anOrganization(identity, 'Other');
    provider.people.set('n-3', vouched(other.owner.email));
    await refusesEverything(await signIn('n-3'), 'oidc.not_a_member');
  });

  it('is rejected with the address of an account without an organization, even with auto-join', async () => {
    await connect(identity, provider, acme, { auto_join: true });
    const person = await identity.aPerson();
    provider.people.set('n-4', vouched(person.email));
    await refusesEverything(await signIn('n-4'), 'oidc.not_a_member');
  });
});

describe('an organization with auto-join', () => {
  beforeEach(() => connect(identity, provider, acme, { auto_join: true }));

  it('gets a new agent with a confirmed address and an unusable password, published and recorded once', async () => {
    const email = `new-${newId()}@example.com`;
    provider.people.set('j-1', vouched(email, { given_name: 'Zoë', family_name: 'Ash' }));
    const { session } = issuedBy(await signIn('j-1'));
    expect(session.profile).toMatchObject({ email, first_name: 'Zoë', last_name: 'Ash', role: 'agent' });
    const { user_id } = session.profile;
    const { email_confirmed_at, password_hash } = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('users').selectAll().where('id', '=', user_id).executeTakeFirstOrThrow(),
    );
    expect(email_confirmed_at).not.toBeNull();
    expect(await passwordMatches(password_hash, '')).toBe(false);
    issuedBy(await signIn('j-1'));
    const joined = (await identity.events(memberJoined.type)).filter(({ subject }) => subject === user_id);
    expect(joined).toMatchObject([{ organization_id: acme.organization.id, data: { member: { email, role: 'agent' } } }]);
    expect((await notes()).filter(({ type, actor_id }) => type === 'member.joined' && actor_id === user_id)).toMatchObject([
      { target: email },
    ]);
  });

  it('takes over an unconfirmed account and invalidates its password and links', async () => {
    const person = await identity.aPerson({ confirmed: false });
    const token_hash = hashToken('a link on its way');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    await identity.db.asSystem('test', async (tx) => {
      const { password_hash } = await tx.selectFrom('users').selectAll().where('id', '=', person.user_id).executeTakeFirstOrThrow();
      await tx.insertInto('confirmation_tokens').values({ token_hash, user_id: person.user_id, password_hash, expires_at: soon }).execute();
    });
    provider.people.set('j-2', vouched(person.email));
    expect(issuedBy(await signIn('j-2')).session.profile.user_id).toBe(person.user_id);
    await identity.db.asSystem('test', async (tx) => {
      const user = await tx.selectFrom('users').selectAll().where('id', '=', person.user_id).executeTakeFirstOrThrow();
      expect(await passwordMatches(user.password_hash, password)).toBe(false);
      expect(await tx.selectFrom('confirmation_tokens').selectAll().where('user_id', '=', person.user_id).execute()).toEqual([]);
    });
  });

  it('gets one member from two concurrent first sign-ins, and both succeed', async () => {
    provider.people.set('j-3', vouched(`twice-${newId()}@example.com`));
    const tries = [0, 1].map(() => new SignInUnderTest(identity, provider, acme.organization));
    const callbacks: URL[] = [];
    for (const each of tries) {
      await each.begin();
      callbacks.push(await each.visit('j-3'));
    }
    const answers = await Promise.all(tries.map((each, index) => each.finish(callbacks[index]!)));
    const [one, other] = answers.map(issuedBy);
    expect(one!.session.profile.user_id).toBe(other!.session.profile.user_id);
    expect(await identities()).toHaveLength(1);
  });
});
