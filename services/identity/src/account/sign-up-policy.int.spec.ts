import { createOrganization, signUp } from '@tandem/contracts';
import { hashToken, newToken } from '@tandem/platform';
import { randomBytes } from 'node:crypto';
import { anonymous, asPerson, IdentityUnderTest, password } from '../../test/identity';
import { aMember } from '../../test/members';
import { insertInvitation } from '../team/invitation.store';
import { checkYourEmail } from './account';

const opened: IdentityUnderTest[] = [];
async function identityWith(SIGN_UP: string): Promise<IdentityUnderTest> {
  const identity = await IdentityUnderTest.start({ SIGN_UP });
  opened.push(identity);
  return identity;
}
afterAll(() => Promise.all(opened.map((each) => each.close())));

const anAddress = (): string => `ada-${randomBytes(5).toString('hex')}@example.com`;
const signUpAs = (identity: IdentityUnderTest, email: string) => identity.call(signUp, anonymous(), { body: { email, password } });

async function invite(
  identity: IdentityUnderTest,
  email: string,
  status: 'pending' | 'cancelled' = 'pending',
  inMs = 60_000,
): Promise<void> {
  const { person, organization_id } = await aMember(identity);
  const expires_at = new Date(Date.now() + inMs).toISOString();
  const link = { token_hash: hashToken(newToken()), expires_at, mails_since: expires_at, mails_sent: 1 };
  await identity.db.forTenant({ organization_id }, async (tx) => {
    await insertInvitation(tx, { ...link, email, role: 'agent', organization_id, invited_by: person.user_id, created_at: expires_at });
    await tx.updateTable('invitations').set({ status }).where('email', '=', email).execute();
  });
}

describe('SIGN_UP=invite', () => {
  const refused = { status: 403, data: { code: 'sign_up.invitation_required' } };
  let identity: IdentityUnderTest;
  beforeAll(async () => void (identity = await identityWith('invite')));

  it('accepts an address with a pending invitation, regardless of its case', async () => {
    const email = anAddress();
    await invite(identity, email);
    expect(await signUpAs(identity, ` ${email.toUpperCase()} `)).toEqual({ status: 202, data: { message: checkYourEmail } });
  });

  it('refuses an address without an invitation, with the same response whether or not it has an account, and writes nothing', async () => {
    const { email } = await identity.aPerson();
    const before = await identity.weight();
    expect(await signUpAs(identity, email)).toMatchObject(refused);
    expect(await signUpAs(identity, anAddress())).toMatchObject(refused);
    expect(await identity.weight()).toEqual(before);
  });

  it.each([
    ['cancelled', 60_000],
    ['pending', -1_000],
  ] as const)('refuses an address whose invitation is %s and expires in %i ms', async (status, inMs) => {
    const email = anAddress();
    await invite(identity, email, status, inMs);
    expect(await signUpAs(identity, email)).toMatchObject(refused);
  });

  it('refuses a new organization of a user without one', async () => {
    const before = await identity.weight();
    const person = await identity.aPerson();
    const answer = await identity.call(createOrganization, asPerson(person), { body: { name: 'Mine' } });
    expect(answer).toMatchObject({ status: 403, data: { code: 'sign_up.closed' } });
    expect((await identity.weight()).organizations).toBe(before.organizations);
  });
});

describe('SIGN_UP=closed', () => {
  it('refuses everyone, even with an invitation, and writes nothing', async () => {
    const identity = await identityWith('closed');
    const email = anAddress();
    await invite(identity, email);
    const before = await identity.weight();
    expect(await signUpAs(identity, email)).toMatchObject({ status: 403, data: { code: 'sign_up.closed' } });
    expect(await identity.weight()).toEqual(before);
  });
});

it('an unknown value prevents the start', async () => {
  await expect(IdentityUnderTest.start({ SIGN_UP: 'everyone' })).rejects.toThrow('SIGN_UP must be one of open, invite, closed');
});
