import {
  cancelOrganizationDeletion,
  readOrganization,
  requestOrganizationDeletion,
  startDemo,
  systemContext,
  type Context,
  type Organization,
  type Session,
  type TenantContext,
} from '@tandem/contracts';
import { newId, type Database } from '@tandem/db';
import type { Logger } from '@tandem/platform';
import { sql } from 'kysely';
import { anonymous, asActor, asPerson, IdentityUnderTest, password } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';
import type { IdentityTables } from '../schema';
import { OrganizationDeletionWorker } from './organization-deletion.worker';

const log = { info: () => undefined } as unknown as Logger;
let identity: IdentityUnderTest;
let worker: OrganizationDeletionWorker;
// Without jobs, so that only the tests run them.
beforeAll(async () => {
  identity = await IdentityUnderTest.start({ RUN: 'http', LIVE_DEMOS: '1' });
  worker = new OrganizationDeletionWorker(identity.db, log);
});
afterAll(() => identity?.close());

const name = 'Some Company';
const aTeam = () => TeamUnderTest.found(identity, name);
const request = (ctx: Context, id: string, body: unknown = { name, current_password: password }) =>
  identity.call(requestOrganizationDeletion, ctx, { params: { id }, body });
const cancel = (ctx: Context, id: string) => identity.call(cancelOrganizationDeletion, ctx, { params: { id } });
const run = (id: string) => worker.advance(systemContext(id, 'test'));
/** Moves the whole request to the past. */
const pass = (id: string, days: number) =>
  identity.db.forTenant({ organization_id: id }, (tx) =>
    tx
      .updateTable('organizations')
      .set({
        deletion_at: sql<string>`deletion_at - make_interval(days => ${days})`,
        deletion_reminded_at: sql<string>`deletion_reminded_at - make_interval(days => ${days})`,
      })
      .execute(),
  );
const daysLeft = async ({ id, admin }: TeamUnderTest) => {
  const { data } = await identity.call(readOrganization, admin.ctx, { params: { id } });
  return data.deletion_at === null ? null : Math.round((Date.parse(data.deletion_at as string) - Date.now()) / 864_000) / 100;
};
/** The emails that were requested for one user, in order. */
const emailsTo = async ({ user_id }: { user_id: string }) =>
  (await identity.events('account.changed')).filter(({ subject }) => subject === user_id).map(({ data }) => data);
const newsTo = async (user: { user_id: string }) => (await emailsTo(user)).map(({ what }) => what);
const findDue = async (id: string) => (await worker.findDue()).filter((job) => job.id === id).length;

describe('requesting the deletion', () => {
  it('sets the date, logs it with high severity, and emails all active admins', async () => {
    const team = await aTeam();
    const [other, agent] = [await team.join('admin'), await team.join('agent')];
    const { status, data } = await request(team.admin.ctx, team.id, { name: ` ${name} `, current_password: password });
    expect(status).toBe(200);
    expect(await daysLeft(team)).toBe(14);
    expect((await team.events('organization.updated')).at(-1)!.data).toMatchObject({ organization: { deletion_at: data.deletion_at } });
    const entries = await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.selectFrom('audit_log').selectAll().where('type', '=', 'organization.deletion_requested').execute(),
    );
    expect(entries).toMatchObject([{ severity: 'high', actor_id: team.admin.user_id, changes: { deletion_at: { from: null } } }]);
    for (const admin of [team.admin, other])
      expect(await emailsTo(admin)).toEqual([
        {
          user_id: admin.user_id,
          email: admin.email,
          first_name: 'Maria',
          what: 'deletion_requested',
          deletion: {
            organization_id: team.id,
            organization_name: name,
            actor_name: 'Maria',
            requested_at: expect.any(String),
            delete_at: data.deletion_at,
          },
        },
      ]);
    expect(await emailsTo(agent)).toEqual([]);
    expect(await findDue(team.id)).toBe(0);
  });

  it.each([
    ['another name', { name: 'some company', current_password: password }, 422, 'request.invalid'],
    ['no name', { current_password: password }, 422, 'request.invalid'],
    ['a wrong password', { name, current_password: 'wrong-one' }, 403, 'password.wrong'],
    ['no password', { name }, 422, 'request.invalid'],
    ['more than it expects', { name, current_password: password, delete_at: '2020-01-01T00:00:00Z' }, 422, 'request.invalid'],
  ])('is refused with %s, and changes nothing', async (_what, body, status, code) => {
    const team = await aTeam();
    expect(await request(team.admin.ctx, team.id, body)).toMatchObject({ status, data: { code } });
    expect(await daysLeft(team)).toBeNull();
    expect(await emailsTo(team.admin)).toEqual([]);
  });

  it('is refused to other roles, tokens and other organizations', async () => {
    const [team, other] = [await aTeam(), await aTeam()];
    const token = asActor({ type: 'token', token_id: newId(), name: 'x', permissions: ['organization:write'], via: 'api' }, team.id);
    const callers: [Context, number, string][] = [
      [(await team.join('manager')).ctx, 403, 'permission.denied'],
      [(await team.join('agent')).ctx, 403, 'permission.denied'],
      [token, 403, 'token.not_allowed'],
      [anonymous(), 401, 'session.required'],
      [other.admin.ctx, 404, 'organization.not_found'],
    ];
    for (const [ctx, status, code] of callers) {
      expect(await request(ctx, team.id)).toMatchObject({ status, data: { code } });
      expect(await cancel(ctx, team.id)).toMatchObject({ status, data: { code } });
    }
    expect(await daysLeft(team)).toBeNull();
  });

  it('is refused in a live demo', async () => {
    const { session } = (await identity.call(startDemo, anonymous())).data as unknown as { session: Session };
    const { id, name: demo } = session.organization!;
    const [admin] = await identity.db.forTenant({ organization_id: id }, (tx) =>
      tx.selectFrom('members').select('user_id').where('role', '=', 'admin').execute(),
    );
    const ctx = asPerson(admin!, { organization_id: id, role: 'admin' });
    const answer = await request(ctx, id, { name: demo, current_password: password });
    expect(answer).toMatchObject({ status: 409, data: { code: 'demo.not_deletable' } });
  });

  it('by two admins at once is accepted once', async () => {
    const team = await aTeam();
    const other = await team.join('admin');
    const answers = await Promise.all([request(team.admin.ctx, team.id), request(other.ctx, team.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.data.code).toBe('organization.deletion_requested');
    expect(await newsTo(team.admin)).toEqual(['deletion_requested']);
  });
});

describe('cancelling', () => {
  it('is possible for any admin, once, and emails all admins who did it', async () => {
    const team = await aTeam();
    const other = await team.join('admin');
    await request(team.admin.ctx, team.id);
    const answers = await Promise.all([cancel(other.ctx, team.id), cancel(team.admin.ctx, team.id), cancel(other.ctx, team.id)]);
    expect(answers.map(({ status, data }) => [status, data.deletion_at])).toEqual([
      [200, null],
      [200, null],
      [200, null],
    ]);
    expect(await newsTo(other)).toEqual(['deletion_requested', 'deletion_cancelled']);
    expect((await team.log()).filter(({ type }) => type === 'organization.deletion_cancelled')).toHaveLength(1);
    await pass(team.id, 20);
    await run(team.id);
    expect(await daysLeft(team)).toBeNull();
    // It can be requested again, with the full time.
    await request(team.admin.ctx, team.id);
    expect(await daysLeft(team)).toBe(14);
  });

  it('at the last moment either keeps the organization or comes too late, whichever is first', async () => {
    for (let round = 0; round < 6; round++) {
      const team = await aTeam();
      await request(team.admin.ctx, team.id);
      await pass(team.id, 12);
      await run(team.id);
      await pass(team.id, 3);
      const cancelling = cancel(team.admin.ctx, team.id);
      const deleting = run(team.id);
      const [{ status }] = await Promise.all([cancelling, deleting]);
      const exists = (await identity.call(readOrganization, team.admin.ctx, { params: { id: team.id } })).status === 200;
      expect([status, exists]).toEqual(exists ? [200, true] : [404, false]);
      expect(await newsTo(team.admin)).toEqual(['deletion_requested', 'deletion_due', exists ? 'deletion_cancelled' : 'deleted']);
    }
  });
});

describe('a requested deletion', () => {
  it('reminds the admins once, three days before', async () => {
    const team = await aTeam();
    await request(team.admin.ctx, team.id);
    await pass(team.id, 10);
    await run(team.id);
    expect([await findDue(team.id), await newsTo(team.admin)]).toEqual([0, ['deletion_requested']]);
    await pass(team.id, 1);
    expect(await findDue(team.id)).toBe(1);
    await Promise.all([run(team.id), run(team.id), run(team.id)]);
    expect(await newsTo(team.admin)).toEqual(['deletion_requested', 'deletion_due']);
    expect([await findDue(team.id), await daysLeft(team)]).toEqual([0, 3]);
  });

  it('whose date passed while the installation was down is postponed by three days', async () => {
    const team = await aTeam();
    await request(team.admin.ctx, team.id);
    await pass(team.id, 20);
    await run(team.id);
    expect(await daysLeft(team)).toBe(3);
    expect(await newsTo(team.admin)).toEqual(['deletion_requested', 'deletion_due']);
    const { organization } = (await team.events('organization.updated')).at(-1)!.data as { organization: Organization };
    expect((await emailsTo(team.admin)).at(-1)).toMatchObject({ deletion: { delete_at: organization.deletion_at } });
    await run(team.id);
    expect(await daysLeft(team)).toBe(3);
  });

  it('deletes the organization and all accounts once, even if its job dies and several replicas run it, and emails every member', async () => {
    const [team, other] = [await aTeam(), await aTeam()];
    const [agent, inactive] = [await team.join('agent'), await team.join('admin')];
    await identity.db.forTenant({ organization_id: team.id }, (tx) =>
      tx.updateTable('members').set({ is_active: false }).where('user_id', '=', inactive.user_id).execute(),
    );
    await request(team.admin.ctx, team.id);
    await pass(team.id, 12);
    await run(team.id);
    await pass(team.id, 2);
    const before = await other.state();
    const rowsOf = ({ organizations, members }: typeof before) =>
      [...organizations, ...members].filter(({ organization_id }) => organization_id === other.id);
    // The process is killed before the commit.
    const dying = {
      forTenant: (ctx: TenantContext, work: (tx: never) => Promise<void>) =>
        identity.db.forTenant(ctx, async (tx) => {
          await work(tx as never);
          throw new Error('killed');
        }),
    } as unknown as Database<IdentityTables>;
    await expect(new OrganizationDeletionWorker(dying, log).advance(systemContext(team.id, 'test'))).rejects.toThrow('killed');
    expect([await findDue(team.id), await newsTo(agent)]).toEqual([1, []]);

    await Promise.all([run(team.id), run(team.id), run(team.id)]);
    expect([await findDue(team.id), (await team.events('organization.deleted')).length]).toEqual([0, 1]);
    for (const person of [team.admin, agent, inactive]) expect((await newsTo(person)).at(-1)).toBe('deleted');
    expect(await newsTo(inactive)).toEqual(['deleted']);
    const users = await identity.db.asSystem('test', (tx) =>
      tx
        .selectFrom('users')
        .select('id')
        .where(
          'id',
          'in',
          [team.admin, agent, inactive].map(({ user_id }) => user_id),
        )
        .execute(),
    );
    expect(users).toEqual([]);
    expect(rowsOf(await other.state())).toEqual(rowsOf(before));
    // Its subdomain is free.
    const { subdomain } = before.organizations.find(({ id }) => id === team.id)!;
    expect(
      await identity.db.asSystem('test', (tx) => tx.selectFrom('organizations').select('id').where('subdomain', '=', subdomain).execute()),
    ).toEqual([]);
  });
});
