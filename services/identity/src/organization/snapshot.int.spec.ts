import { analyticsInstalled, systemContext, type Envelope } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { IdentityUnderTest } from '../../test/identity';
import { TeamUnderTest } from '../../test/team';
import { SnapshotConsumer } from './snapshot.consumer';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const ctx = systemContext(null, 'test');
const installed = (installed_at: string, subject = newId()) =>
  identity.db.asSystem('test', (tx) => emit(tx, ctx, analyticsInstalled, subject, { installed_at }));
const soon = () => new Date(Date.now() + 60_000).toISOString();
const consumer = new SnapshotConsumer();
const envelope = () => ({ subject: newId() }) as Envelope;

it('a new installation of analytics gets each older organization with its members, and their sequences', async () => {
  const [team, other] = [await TeamUnderTest.found(identity), await TeamUnderTest.found(identity)];
  const { user_id } = await team.join('manager');
  const installed_at = soon();
  const younger = await TeamUnderTest.found(identity);
  await identity.db.forTenant({ organization_id: younger.id }, (tx) =>
    tx
      .updateTable('organizations')
      .set({ created_at: sql<string>`${installed_at}::timestamptz` })
      .execute(),
  );
  await installed(installed_at);
  await eventually(async () => expect(await other.events('member.snapshots')).toHaveLength(1));
  const [snapshot] = await team.events('organization.snapshot');
  expect(snapshot).toMatchObject({ subject: team.id, data: { organization: { id: team.id, name: 'Some Company' }, sequence: 1 } });
  const [members] = await team.events('member.snapshots');
  expect((members!.data as { members: unknown[] }).members).toEqual(
    [team.admin.user_id, user_id].sort().map((id) => ({
      member: expect.objectContaining({ user_id: id, organization_id: team.id, role: id === user_id ? 'manager' : 'admin' }),
      sequence: 1,
    })),
  );
  expect(await younger.events('organization.snapshot')).toEqual([]);
});

it('continues with a new event after each hundred organizations, and stops after the last one', async () => {
  const template = await TeamUnderTest.found(identity);
  const before = await identity.db.asSystem('test', async (tx) => (await tx.selectFrom('organizations').select('id').execute()).length);
  for (let n = before; n < 230; n += 1) {
    const id = newId();
    await identity.db.forTenant({ organization_id: id }, (tx) =>
      sql`insert into organizations (id, organization_id, name, slug, subdomain, ticket_prefix, trial_ends_at)
        select ${id}, ${id}, 'One of many', ${`many-${n}`}, ${`many-${n}`}, 'MNY', now()`.execute(tx),
    );
  }
  const subject = newId();
  await installed(soon(), subject);
  const pages = async () => (await identity.events('organization.snapshots_continued')).filter((event) => event.subject === subject);
  await eventually(async () => expect((await identity.events('organization.snapshot')).at(-1)).toBeDefined());
  await eventually(async () => expect(await pages()).toHaveLength(2));
  const many = async () => {
    const all = await identity.events('organization.snapshot');
    return new Set(all.map(({ organization_id }) => organization_id)).size;
  };
  await eventually(async () => expect(await many()).toBeGreaterThanOrEqual(229));
  expect(await pages()).toHaveLength(2);
  expect(await template.events('organization.snapshot')).toHaveLength(1);
});

it('sends nothing if there are no organizations, or none after the last page', async () => {
  const count = async () => (await identity.events()).length;
  const before = await count();
  await identity.db.asSystem('test', async (tx) => {
    await consumer.onInstalled(ctx, { installed_at: '2001-01-01T00:00:00.000Z' }, tx, envelope());
    const last = { created_before: soon(), after_id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' };
    await consumer.onContinued(ctx, last, tx, envelope());
  });
  expect(await count()).toBe(before);
});

it('sends nothing of a page that is interrupted', async () => {
  const team = await TeamUnderTest.found(identity);
  const dying = identity.db.asSystem('test', async (tx) => {
    await consumer.onInstalled(ctx, { installed_at: soon() }, tx, envelope());
    throw new Error('killed before the commit');
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await team.events('organization.snapshot')).toEqual([]);
});
