import { newId } from '@tandem/db';
import { hashToken } from '@tandem/platform';
import { eventually, startForTest, testEnv } from '@tandem/testing';
import { IdentityUnderTest, type Person } from '../../test/identity';
import { aMember } from '../../test/members';
import { identityService } from '../identity.module';
import { AccountCleanup } from './account-cleanup.worker';

let identity: IdentityUnderTest;
let past: AccountCleanup;
beforeAll(async () => {
  identity = await IdentityUnderTest.start();
  past = new AccountCleanup(identity.db);
});
afterAll(() => identity?.close());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const openedDaysAgo = ({ user_id }: Person, days: number) =>
  identity.db.asSystem('test', (tx) =>
    tx
      .updateTable('users')
      .set({ created_at: inHours(-24 * days) })
      .where('id', '=', user_id)
      .execute(),
  );
const tables = ['confirmation_tokens', 'password_resets', 'email_changes', 'mfa_challenges'] as const;
/** Inserts one link of each kind that expires in `hours` hours. */
const links = ({ user_id, email }: Person, hours: number) =>
  identity.db.asSystem('test', async (tx) => {
    const link = (kind: string) => ({ token_hash: hashToken(`${kind}${user_id}${hours}`), user_id, expires_at: inHours(hours) });
    await tx
      .insertInto('confirmation_tokens')
      .values({ ...link('a'), password_hash: '$argon2id$x', first_name: null, last_name: null })
      .execute();
    await tx.insertInto('password_resets').values(link('b')).execute();
    await tx
      .insertInto('email_changes')
      .values({ ...link('c'), email })
      .execute();
    await tx.insertInto('mfa_challenges').values(link('d')).execute();
  });
const left = ({ user_id }: Person) =>
  identity.db.asSystem('test', async (tx) => ({
    account: (await tx.selectFrom('users').select('id').where('id', '=', user_id).execute()).length,
    links: (
      await Promise.all(tables.map((table) => tx.selectFrom(table).select('token_hash').where('user_id', '=', user_id).execute()))
    ).flat().length,
  }));

describe('the cleanup', () => {
  it('deletes expired links of every kind, and keeps valid ones', async () => {
    const person = await identity.aPerson();
    await links(person, -1);
    await links(person, 1);
    // The service's sweep runs at startup, so some rows may already be deleted.
    await past.remove();
    expect(await left(person)).toEqual({ account: 1, links: 4 });
  });

  it('deletes accounts that were not confirmed in 30 days and have no valid link', async () => {
    const [forgotten, waiting, young, confirmed] = [
      await identity.aPerson({ confirmed: false }),
      await identity.aPerson({ confirmed: false }),
      await identity.aPerson({ confirmed: false }),
      await identity.aPerson(),
    ];
    const { person: member } = await aMember(identity);
    for (const person of [forgotten, waiting, confirmed, member]) await openedDaysAgo(person, 31);
    await openedDaysAgo(young, 29);
    await links(forgotten, -1);
    await links(waiting, 1);
    await past.remove();
    expect(await left(forgotten)).toEqual({ account: 0, links: 0 });
    for (const person of [waiting, young, confirmed, member]) expect(await left(person)).toMatchObject({ account: 1 });
  });

  it('deletes sessions that expired more than 24 hours ago', async () => {
    const person = await identity.aPerson();
    const [old, recent] = [newId(), newId()];
    const session = { user_id: person.user_id, ip: null, user_agent: null, idle_expires_at: inHours(-30) };
    await identity.db.asSystem('test', (tx) =>
      tx
        .insertInto('sessions')
        .values([
          { ...session, id: old, absolute_expires_at: inHours(-24.1) },
          { ...session, id: recent, absolute_expires_at: inHours(-23.9) },
        ])
        .execute(),
    );
    await past.remove();
    const rows = await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('sessions').select('id').where('user_id', '=', person.user_id).execute(),
    );
    expect(rows).toEqual([{ id: recent }]);
  });

  it('is scheduled once an hour, as one job', () => {
    const [first, again] = [past.findDue(), past.findDue()];
    expect(first).toEqual([expect.objectContaining({ id: 'hourly', data: {} })]);
    expect(again).toEqual([]);
  });
});

it('runs automatically after a service has started', async () => {
  const person = await identity.aPerson();
  await links(person, -1);
  await startForTest(identityService, await testEnv({ IDENTITY_DATABASE_URL: identity.database.url }));
  await eventually(async () => expect(await left(person)).toEqual({ account: 1, links: 0 }));
});
