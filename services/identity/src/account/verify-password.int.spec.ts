import { limits } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asPerson, IdentityUnderTest, password } from '../../test/identity';
import { SignIns } from '../../test/sign-ins';
import { verifyPassword } from './verify-password';

let identity: IdentityUnderTest;
beforeAll(async () => (identity = await IdentityUnderTest.start()));
afterAll(() => identity?.close());

const outcome = (user_id: string, typed: string) =>
  verifyPassword(identity.db, asPerson({ user_id }), typed).then(
    () => 'proved',
    (error: { code?: string }) => error.code,
  );
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const set = (user_id: string, values: { password_failed_since?: string; password_blocked_until?: string }) =>
  identity.db.asSystem('test', (tx) => tx.updateTable('users').set(values).where('id', '=', user_id).execute());

describe('the current password', () => {
  it('is proved by its exact characters', async () => {
    const { user_id } = await identity.aPerson();
    expect(await outcome(user_id, password)).toBe('proved');
    for (const typed of [`${password} `, password.toUpperCase(), '', `${password}\u0000`]) {
      expect(await outcome(user_id, typed)).toBe('password.wrong');
    }
  });

  it('is not asked for after five wrong ones, for half an hour, and then as if nothing had been', async () => {
    const { user_id } = await identity.aPerson();
    const { user_id: other } = await identity.aPerson();
    for (let round = 0; round < limits.login.limit; round++) expect(await outcome(user_id, 'wrong-one')).toBe('password.wrong');
    const refusal = await verifyPassword(identity.db, asPerson({ user_id }), password).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'login.blocked' });
    const { retryAfterSeconds } = refusal as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeGreaterThan(limits.login.blockSeconds - 30);
    expect(retryAfterSeconds).toBeLessThanOrEqual(limits.login.blockSeconds);
    expect(await outcome(other, password)).toBe('proved');

    await set(user_id, { password_blocked_until: secondsAgo(1) });
    for (let round = 1; round < limits.login.limit; round++) expect(await outcome(user_id, 'wrong-one')).toBe('password.wrong');
    expect(await outcome(user_id, password)).toBe('proved');
  });

  it('is noted in the log of the organization when it was wrong, and only then', async () => {
    const signIns = new SignIns(identity);
    const { person, organization, membership } = await signIns.aMember();
    const prove = (typed: string) => verifyPassword(identity.db, asPerson(person, membership), typed);
    await prove(password);
    await expect(prove('wrong-one')).rejects.toMatchObject({ code: 'password.wrong' });
    const log = await signIns.log(organization.id);
    expect(log.filter(({ type }) => type === 'password.proof_failed')).toEqual([
      expect.objectContaining({ actor_id: person.user_id, severity: 'medium' }),
    ]);
    expect(JSON.stringify(log)).not.toContain('wrong-one');
  });

  it('counts anew after a right one, and after fifteen minutes', async () => {
    const { user_id } = await identity.aPerson();
    for (let round = 1; round < limits.login.limit; round++) await outcome(user_id, 'wrong-one');
    expect(await outcome(user_id, password)).toBe('proved');
    for (let round = 1; round < limits.login.limit; round++) await outcome(user_id, 'wrong-one');
    await set(user_id, { password_failed_since: secondsAgo(limits.login.windowSeconds + 1) });
    for (let round = 1; round < limits.login.limit; round++) expect(await outcome(user_id, 'wrong-one')).toBe('password.wrong');
    expect(await outcome(user_id, password)).toBe('proved');
  });

  it('is compared no more often than that when many tries come at once', async () => {
    const { user_id } = await identity.aPerson();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcome(user_id, 'wrong-one')));
    expect(outcomes.filter((code) => code === 'password.wrong')).toHaveLength(limits.login.limit);
    expect(outcomes.filter((code) => code === 'login.blocked')).toHaveLength(12 - limits.login.limit);
  });

  it('is nobody’s when the person is gone', async () => expect(await outcome(newId(), password)).toBe('session.expired'));
});
