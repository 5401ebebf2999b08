import {
  acceptInvitation,
  cancelInvitation,
  createInvitation,
  createOrganization,
  declineInvitation,
  readInvitation,
  readSession,
  signIn,
  type Context,
  type Invitation,
  type Role,
  type Session,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { anonymous, asActor, asPerson, asSession, IdentityUnderTest, password, type Person } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const read = (token: string) => identity.call(readInvitation, anonymous(), { params: { token } });
const accept = (ctx: Context | undefined, token: string) => identity.call(acceptInvitation, ctx, { params: { token } });
const decline = (token: string, ctx: Context = anonymous()) => identity.call(declineInvitation, ctx, { params: { token } });
const notFound = { status: 404, data: { code: 'invitation.not_found', title: 'Invitation not found or expired' } };

interface Offered {
  team: TeamUnderTest;
  invitation: Invitation;
  token: string;
  person: Person;
}
/** An invited person, with the token of the emailed link. */
async function anOffer(options: { team?: TeamUnderTest; role?: Role; person?: Person } = {}): Promise<Offered> {
  const { role = 'manager' } = options;
  const team = options.team ?? (await TeamUnderTest.found(identity, 'Warm Welcome'));
  const person = options.person ?? (await identity.aPerson());
  const { data } = await identity.call(createInvitation, team.admin.ctx, { body: { email: person.email, role } });
  const invitation = data as unknown as Invitation;
  const event = (await identity.events('invitation.created')).find(({ subject }) => subject === invitation.id);
  return { team, invitation, person, token: identity.secrets.open('invitation', event?.data.sealed_token as string) };
}
const expire = ({ team, invitation }: Offered) =>
  identity.db.forTenant({ organization_id: team.id }, (tx) =>
    tx
      .updateTable('invitations')
      .set({ expires_at: new Date(Date.now() - 1).toISOString() })
      .where('id', '=', invitation.id)
      .execute(),
  );
const statusOf = async ({ team, invitation }: Offered) => (await team.state()).invitations.find(({ id }) => id === invitation.id)?.status;

/** Unknown and malformed tokens, and one token of each kind that has stopped working. */
async function deadTokens(): Promise<string[]> {
  const [expired, cancelled, declined, accepted] = [await anOffer(), await anOffer(), await anOffer(), await anOffer()];
  await expire(expired);
  await identity.call(cancelInvitation, cancelled.team.admin.ctx, { params: { id: cancelled.invitation.id } });
  await decline(declined.token);
  await accept(asPerson(accepted.person), accepted.token);
  const unknown = ['A'.repeat(43), 'x', 'null', '[]', "' or 1=1 --", 'a\u0000b', accepted.invitation.id, 'ü'.repeat(50), 'A'.repeat(500)];
  return [...[expired, cancelled, declined, accepted].map(({ token }) => token), ...unknown];
}

describe('reading an invitation by its link', () => {
  it('returns organization and role without a session, and nothing else', async () => {
    const { token, invitation } = await anOffer();
    const { email, role, expires_at } = invitation;
    expect(await read(token)).toEqual({ status: 200, data: { organization_name: 'Warm Welcome', email, role, expires_at } });
  });

  it('returns the same error for unknown, used, canceled and expired links, and changes nothing', async () => {
    const { team } = await anOffer();
    const tokens = await deadTokens();
    const person = await identity.aPerson();
    const before = await team.state();
    for (const token of tokens)
      for (const answer of [await read(token), await decline(token), await accept(asPerson(person), token)]) {
        expect(answer).toMatchObject(notFound);
        expect(Object.keys(answer.data)).toEqual(['success', 'type', 'title', 'status', 'code', 'request_id']);
      }
    expect(await team.state()).toEqual(before);
  });
});

describe('accepting an invitation', () => {
  it('makes the user a member with the role of the invitation, and is published and recorded', async () => {
    const offered = await anOffer({ role: 'manager' });
    const { team, person, token } = offered;
    const { status, data } = await accept(asPerson(person), token);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      user_id: person.user_id,
      organization_id: team.id,
      email: person.email,
      role: 'manager',
      is_active: true,
    });
    expect(await statusOf(offered)).toBe('accepted');
    const announced = (await team.events()).filter(({ subject }) => subject === person.user_id);
    expect(announced).toEqual([expect.objectContaining({ type: 'member.joined', organization_id: team.id, data: { member: data } })]);
    expect((await team.log()).at(-1)).toEqual({
      type: 'member.joined',
      actor_id: person.user_id,
      actor_email: person.email,
      target: person.email,
      changes: { role: { from: null, to: 'manager' } },
    });
  });

  it('applies to the current session', async () => {
    const { team, person, token } = await anOffer({ role: 'agent' });
    const { data } = await identity.call(signIn, anonymous(), { body: { email: person.email, password } });
    const { session } = data as unknown as { session: Session };
    expect((await accept(asSession(session), token)).status).toBe(200);
    const after = await identity.call(readSession, asSession(session));
    expect(after).toMatchObject({
      status: 200,
      data: { profile: { organization_id: team.id, role: 'agent' }, organization: { id: team.id } },
    });
  });

  it('requires the invited address, ignoring case', async () => {
    const person = await identity.aPerson({ email: `mixed.${newId()}@example.com` });
    const offered = await anOffer({ person: { ...person, email: person.email.toUpperCase() } });
    const stranger = await identity.aPerson();
    const before = await offered.team.state();
    expect(await accept(asPerson(stranger), offered.token)).toMatchObject({ status: 403, data: { code: 'invitation.other_address' } });
    expect(await accept(offered.team.admin.ctx, offered.token)).toMatchObject({ status: 403, data: { code: 'invitation.other_address' } });
    expect(await offered.team.state()).toEqual(before);
    expect((await accept(asPerson(person), offered.token)).status).toBe(200);
  });

  it('is rejected for a member of any organization, and keeps the invitation', async () => {
    const owner = await identity.aPerson();
    await identity.call(createOrganization, asPerson(owner), { body: { name: 'Their Own' } });
    const offered = await anOffer({ person: owner });
    const before = await offered.team.state();
    const refused = { status: 409, data: { code: 'organization.already_set_up' } };
    expect(await accept(asPerson(owner), offered.token)).toMatchObject(refused);
    expect(await offered.team.state()).toEqual(before);
  });

  it('happens once with concurrent requests', async () => {
    const { team, person, token } = await anOffer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(asPerson(person), token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(5).fill(404)]);
    expect((await team.state()).members.filter(({ user_id }) => user_id === person.user_id)).toHaveLength(1);
    expect((await team.events('member.joined')).filter(({ subject }) => subject === person.user_id)).toHaveLength(1);
  });

  it('joins one of two organizations concurrently', async () => {
    const person = await identity.aPerson();
    const offers = [await anOffer({ person }), await anOffer({ person }), await anOffer({ person })];
    const answers = await Promise.all(offers.map(({ token }) => accept(asPerson(person), token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await Promise.all(offers.map(statusOf))).sort()).toEqual(['accepted', 'pending', 'pending']);
  });

  it('and concurrent canceling or declining have one outcome', async () => {
    for (let round = 0; round < 4; round++) {
      const offered = await anOffer();
      const { team, person, token, invitation } = offered;
      const [accepted, other] = await Promise.all([
        accept(asPerson(person), token),
        round % 2 === 0 ? decline(token) : identity.call(cancelInvitation, team.admin.ctx, { params: { id: invitation.id } }),
      ]);
      expect([accepted.status, other.status].sort()).toEqual([200, 404]);
      const joined = (await team.state()).members.some(({ user_id }) => user_id === person.user_id);
      expect([joined, await statusOf(offered)]).toEqual(accepted.status === 200 ? [true, 'accepted'] : [false, 'cancelled']);
    }
  });

  it('requires the session of an existing user', async () => {
    const { team, token } = await anOffer();
    const before = await team.state();
    const apiToken = asActor({ type: 'token', token_id: newId(), name: 'Importer', permissions: ['tickets:read'], via: 'api' }, team.id);
    for (const ctx of [undefined, anonymous(), anonymous(team.id), apiToken])
      expect([401, 403]).toContain((await accept(ctx, token)).status);
    expect(await accept(asPerson({ user_id: newId(), email: '' }), token)).toMatchObject({
      status: 401,
      data: { code: 'session.expired' },
    });
    expect(await team.state()).toEqual(before);
  });
});

describe('declining an invitation', () => {
  it('invalidates the link, is recorded, and allows another invitation', async () => {
    const offered = await anOffer();
    const { team, person, token } = offered;
    expect(await decline(token)).toEqual({ status: 200, data: {} });
    expect(await statusOf(offered)).toBe('cancelled');
    expect((await team.log()).at(-1)).toMatchObject({ type: 'invitation.declined', actor_id: null, target: person.email });
    expect((await anOffer({ team, person })).invitation.status).toBe('pending');
  });
  it('records the user if signed in', async () => {
    const { team, person, token } = await anOffer();
    await decline(token, asPerson(person));
    expect((await team.log()).at(-1)).toMatchObject({ type: 'invitation.declined', actor_id: person.user_id, actor_email: person.email });
  });
});
