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
  it('must match exactly', async () => {
    const { user_id } = await identity.aPerson();
    expect(await outcome(user_id, password)).toBe('proved');
    for (const typed of [`${password} `, password.toUpperCase(), '', `${password}\u0000`]) {
      expect(await outcome(user_id, typed)).toBe('password.wrong');
    }
  });

  it('is blocked for 30 minutes after five wrong ones, then counted from zero', async () => {
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

  it('is recorded in the audit log only if it was wrong', async () => {
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

  it('is counted from zero after a correct one, and after 15 minutes', async () => {
    const { user_id } = await identity.aPerson();
    for (let round = 1; round < limits.login.limit; round++) await outcome(user_id, 'wrong-one');
    expect(await outcome(user_id, password)).toBe('proved');
    for (let round = 1; round < limits.login.limit; round++) await outcome(user_id, 'wrong-one');
    await set(user_id, { password_failed_since: secondsAgo(limits.login.windowSeconds + 1) });
    for (let round = 1; round < limits.login.limit; round++) expect(await outcome(user_id, 'wrong-one')).toBe('password.wrong');
    expect(await outcome(user_id, password)).toBe('proved');
  });

  it('is compared at most five times for concurrent attempts', async () => {
    const { user_id } = await identity.aPerson();
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcome(user_id, 'wrong-one')));
    expect(outcomes.filter((code) => code === 'password.wrong')).toHaveLength(limits.login.limit);
    expect(outcomes.filter((code) => code === 'login.blocked')).toHaveLength(12 - limits.login.limit);
  });

  it('of a deleted user returns an expired session', async () => expect(await outcome(newId(), password)).toBe('session.expired'));
});
