import {
  cancelInvitation,
  createInvitation,
  listInvitations,
  readInvitation,
  resendInvitation,
  updateMember,
  type Context,
  type Invitation,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { contextHeader, hashToken, signContext } from '@tandem/platform';
import { anonymous, asActor, IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const invite = (ctx: Context | undefined, body: unknown) => identity.call(createInvitation, ctx, { body });
const list = async (ctx: Context) => (await identity.call(listInvitations, ctx)).data as unknown as Invitation[];
const resend = (ctx: Context | undefined, id: string) => identity.call(resendInvitation, ctx, { params: { id } });
const cancel = (ctx: Context | undefined, id: string) => identity.call(cancelInvitation, ctx, { params: { id } });
const offer = (token: string) => identity.call(readInvitation, anonymous(), { params: { token } });
const anAddress = () => `guest-${newId()}@example.com`;
const idOf = ({ data }: { data: Record<string, unknown> }) => data.id as string;
const notFound = { status: 404, data: { code: 'invitation.not_found', title: 'Invitation not found or expired' } };

/** The emailed links of an invitation, oldest first. */
const tokensOf = async (id: string) =>
  (await identity.events('invitation.created'))
    .filter(({ subject }) => subject === id)
    .map(({ data }) => identity.secrets.open('invitation', data.sealed_token as string));
const changeRow = (team: TeamUnderTest, id: string, row: { expires_at?: string; mails_since?: string }) =>
  identity.db.forTenant({ organization_id: team.id }, (tx) => tx.updateTable('invitations').set(row).where('id', '=', id).execute());
const past = () => new Date(Date.now() - 1000).toISOString();

describe('inviting', () => {
  it('creates a pending invitation for 7 days, publishes its sealed link, and stores only the hash', async () => {
    const team = await TeamUnderTest.found(identity, 'Warm Welcome');
    const { status, data } = await invite(team.admin.ctx, { email: ' New.Person@Example.COM ', role: 'manager' });
    const invitation = data as unknown as Invitation;
    expect(status).toBe(201);
    expect(invitation).toEqual({
      id: expect.any(String),
      organization_id: team.id,
      email: 'new.person@example.com',
      role: 'manager',
      status: 'pending',
      created_at: expect.any(String),
      expires_at: new Date(Date.parse(invitation.created_at) + 7 * 86_400_000).toISOString(),
    });
    const [event] = await team.events('invitation.created');
    expect(event).toMatchObject({
      subject: invitation.id,
      data: { invitation: data, organization_name: 'Warm Welcome', invited_by: 'Maria', sealed_token: expect.any(String) },
    });
    const [token = ''] = await tokensOf(invitation.id);
    expect(token).toMatch(/^[\w-]{43}$/);
    const row = (await team.state()).invitations.find(({ id }) => id === invitation.id);
    expect(row).toMatchObject({ token_hash: hashToken(token), invited_by: team.admin.user_id });
    expect(JSON.stringify([row, await identity.events()])).not.toContain(token);
    expect((await team.log()).at(-1)).toMatchObject({
      type: 'invitation.created',
      actor_id: team.admin.user_id,
      target: 'new.person@example.com',
      changes: { role: { from: null, to: 'manager' } },
    });
  });

  it('defaults to the role agent, and names an inviter without a name by address', async () => {
    const team = await TeamUnderTest.found(identity);
    await identity.db.asSystem('test', (tx) =>
      tx.updateTable('users').set({ first_name: null }).where('id', '=', team.admin.user_id).execute(),
    );
    expect(await invite(team.admin.ctx, { email: anAddress() })).toMatchObject({ status: 201, data: { role: 'agent' } });
    expect(await team.events('invitation.created')).toMatchObject([{ data: { invited_by: team.admin.email } }]);
  });

  it('is not available to API tokens', async () => {
    const team = await TeamUnderTest.found(identity);
    const token = asActor({ type: 'token', token_id: newId(), name: 'Importer', permissions: ['tickets:read'], via: 'api' }, team.id);
    expect(await invite(token, { email: anAddress() })).toMatchObject({ status: 403, data: { code: 'token.not_allowed' } });
    expect(await team.events('invitation.created')).toEqual([]);
  });

  it('rejects members, active or not', async () => {
    const team = await TeamUnderTest.found(identity);
    const [member, former] = [await team.join('agent'), await team.join('agent')];
    await identity.call(updateMember, team.admin.ctx, { params: { userId: former.user_id }, body: { is_active: false } });
    const before = await team.state();
    for (const email of [member.email.toUpperCase(), former.email, team.admin.email])
      expect(await invite(team.admin.ctx, { email })).toMatchObject({ status: 409, data: { code: 'invitation.already_member' } });
    expect(await team.state()).toEqual(before);
  });

  it('has the same response for addresses with and without an account', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    await invite(other.admin.ctx, { email: 'shared@example.com' });
    for (const email of [other.admin.email, (await identity.aPerson()).email, 'shared@example.com', anAddress()]) {
      const { status, data } = await invite(team.admin.ctx, { email });
      expect({ status, keys: Object.keys(data) }).toEqual({
        status: 201,
        keys: ['id', 'organization_id', 'email', 'role', 'status', 'created_at', 'expires_at'],
      });
    }
  });

  it('rejects a second one while the first is pending, and replaces an expired one', async () => {
    const team = await TeamUnderTest.found(identity);
    const email = anAddress();
    const first = idOf(await invite(team.admin.ctx, { email }));
    const before = await team.state();
    expect(await invite(team.admin.ctx, { email, role: 'admin' })).toMatchObject({ status: 409, data: { code: 'invitation.pending' } });
    expect(await team.state()).toEqual(before);
    await changeRow(team, first, { expires_at: past() });
    const second = await invite(team.admin.ctx, { email, role: 'admin' });
    expect(second).toMatchObject({ status: 201, data: { role: 'admin', status: 'pending' } });
    expect(idOf(second)).not.toBe(first);
    expect((await list(team.admin.ctx)).map(({ id }) => id)).toEqual([idOf(second)]);
    const [[old = ''], [fresh = '']] = [await tokensOf(first), await tokensOf(idOf(second))];
    expect(await offer(old)).toMatchObject(notFound);
    expect((await offer(fresh)).status).toBe(200);
  });

  it('creates one for concurrent requests to one address', async () => {
    const team = await TeamUnderTest.found(identity);
    const email = anAddress();
    const answers = await Promise.all(Array.from({ length: 8 }, () => invite(team.admin.ctx, { email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect(await list(team.admin.ctx)).toHaveLength(1);
    expect(await team.events('invitation.created')).toHaveLength(1);
  });

  it.each([
    [{}, 'email', undefined],
    [{ email: '' }, 'email', 'Enter the email address of the person to invite'],
    [{ email: ' \t ' }, 'email', 'Enter the email address of the person to invite'],
    [{ email: 'nobody' }, 'email', 'Enter a valid email address'],
    [{ email: 'a@b' }, 'email', 'Enter a valid email address'],
    [{ email: 'a b@example.com' }, 'email', 'Enter a valid email address'],
    [{ email: 'a@example.com, b@example.com' }, 'email', 'Enter a valid email address'],
    [{ email: 'a@example.com\nbcc: b@example.com' }, 'email', 'Enter a valid email address'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'email', undefined],
    [{ email: 'a\u0000@example.com' }, 'email', undefined],
    [{ email: ['a@example.com'] }, 'email', undefined],
    [{ email: null }, 'email', undefined],
    [{ email: 'a@example.com', role: 'owner' }, 'role', undefined],
    [{ email: 'a@example.com', role: null }, 'role', undefined],
    [{ email: 'a@example.com', role: '' }, 'role', undefined],
    [{ email: 'a@example.com', organization_id: newId() }, 'organization_id', undefined],
    [{ email: 'a@example.com', status: 'accepted' }, 'status', undefined],
  ])('rejects %j, names the field and writes nothing', async (body, path, message) => {
    const team = await TeamUnderTest.found(identity);
    const before = await team.state();
    const { status, data } = await invite(team.admin.ctx, body);
    expect(status).toBe(422);
    expect(data.errors?.[0]).toMatchObject({ path, ...(message === undefined ? {} : { message }) });
    expect(await team.state()).toEqual(before);
  });
  it('names every invalid field', async () => {
    const team = await TeamUnderTest.found(identity);
    const { data } = await invite(team.admin.ctx, { email: 'x', role: 'y' });
    expect(data.errors?.map(({ path }) => path)).toEqual(['email', 'role']);
  });
});

describe('the list', () => {
  it('contains pending and expired ones, newest first', async () => {
    const team = await TeamUnderTest.found(identity);
    expect(await list(team.admin.ctx)).toEqual([]);
    const ids: string[] = [];
    for (let number = 0; number < 3; number++) ids.push(idOf(await invite(team.admin.ctx, { email: anAddress() })));
    const [expired = '', cancelled = '', latest = ''] = ids;
    await changeRow(team, expired, { expires_at: past() });
    await cancel(team.admin.ctx, cancelled);
    expect((await list(team.admin.ctx)).map(({ id, status }) => [id, status])).toEqual([
      [latest, 'pending'],
      [expired, 'pending'],
    ]);
    expect(await list((await TeamUnderTest.found(identity)).admin.ctx)).toEqual([]);
  });
});

describe('sending again', () => {
  it('sends a new link for another 7 days, even after expiry, and invalidates the old one', async () => {
    const team = await TeamUnderTest.found(identity);
    const id = idOf(await invite(team.admin.ctx, { email: anAddress() }));
    await changeRow(team, id, { expires_at: past() });
    const { status, data } = await resend(team.admin.ctx, id);
    expect(status).toBe(200);
    expect(Date.parse(data.expires_at as string)).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    const [old = '', fresh = '', ...more] = await tokensOf(id);
    expect(more).toEqual([]);
    expect(await offer(old)).toMatchObject(notFound);
    expect((await offer(fresh)).status).toBe(200);
    expect((await team.log()).at(-1)).toMatchObject({ type: 'invitation.resent', target: data.email, changes: null });
  });

  it('is limited to five emails per hour, even concurrently, and returns the time to retry', async () => {
    const team = await TeamUnderTest.found(identity);
    const id = idOf(await invite(team.admin.ctx, { email: anAddress() }));
    const answers = await Promise.all(Array.from({ length: 7 }, () => resend(team.admin.ctx, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429, 429]);
    const before = await team.state();
    const refused = await fetch(`${identity.url}/team/invitations/${id}/resend`, {
      method: 'POST',
      headers: { [contextHeader]: signContext(team.admin.ctx, identity['env'].CONTEXT_SECRET ?? '') },
    });
    expect(await refused.json()).toMatchObject({ status: 429, code: 'invitation.too_many' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
    expect(await team.state()).toEqual(before);
    await changeRow(team, id, { mails_since: new Date(Date.now() - 3_600_000).toISOString() });
    expect((await resend(team.admin.ctx, id)).status).toBe(200);
  });

  it('keeps the count of an address that is canceled and invited again', async () => {
    const team = await TeamUnderTest.found(identity);
    const email = anAddress();
    for (let number = 0; number < 5; number++) {
      const invited = await invite(team.admin.ctx, { email });
      expect(invited.status).toBe(201);
      await cancel(team.admin.ctx, idOf(invited));
    }
    const before = await team.state();
    expect(await invite(team.admin.ctx, { email })).toMatchObject({ status: 429, data: { code: 'invitation.too_many' } });
    expect(await team.state()).toEqual(before);
    expect((await invite(team.admin.ctx, { email: anAddress() })).status).toBe(201);
    const other = await TeamUnderTest.found(identity);
    expect((await invite(other.admin.ctx, { email })).status).toBe(201);
  });
});

describe('cancelling', () => {
  it('removes the invitation from the list and invalidates its link, once', async () => {
    const team = await TeamUnderTest.found(identity);
    const email = anAddress();
    const id = idOf(await invite(team.admin.ctx, { email }));
    expect(await cancel(team.admin.ctx, id)).toMatchObject({ status: 200, data: { id, status: 'cancelled' } });
    expect(await list(team.admin.ctx)).toEqual([]);
    expect(await offer((await tokensOf(id))[0] ?? '')).toMatchObject(notFound);
    expect((await team.log()).at(-1)).toMatchObject({ type: 'invitation.cancelled', target: email });
    const before = await team.state();
    expect(await cancel(team.admin.ctx, id)).toMatchObject(notFound);
    expect(await resend(team.admin.ctx, id)).toMatchObject(notFound);
    expect(await team.state()).toEqual(before);
    expect((await invite(team.admin.ctx, { email })).status).toBe(201);
  });
});

describe('invitations', () => {
  it('of another organization are not found, like unknown ones, and do not change', async () => {
    const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
    const theirs = idOf(await invite(other.admin.ctx, { email: anAddress() }));
    const before = await team.state();
    for (const id of [theirs, newId()]) {
      expect(await cancel(team.admin.ctx, id)).toMatchObject(notFound);
      expect(await resend(team.admin.ctx, id)).toMatchObject(notFound);
    }
    for (const id of ['x', 'null', "' or 1=1 --"]) expect((await cancel(team.admin.ctx, id)).status).toBe(422);
    expect(await team.state()).toEqual(before);
  });

  it('can be managed only by admins', async () => {
    const team = await TeamUnderTest.found(identity);
    const [manager, agent] = [await team.join('manager'), await team.join('agent')];
    const id = idOf(await invite(team.admin.ctx, { email: anAddress() }));
    const before = await team.state();
    const all = (ctx: Context | undefined) =>
      Promise.all([identity.call(listInvitations, ctx), invite(ctx, { email: anAddress() }), resend(ctx, id), cancel(ctx, id)]);
    for (const { ctx } of [manager, agent])
      for (const answer of await all(ctx)) expect(answer).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    for (const ctx of [undefined, anonymous(team.id)]) for (const { status } of await all(ctx)) expect(status).toBe(401);
    expect(await team.state()).toEqual(before);
  });
});
