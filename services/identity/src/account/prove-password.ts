import { AppError } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { IdentityTables } from '../schema';
import { passwordMatches } from './password';
import { countPasswordTry, findBlockSeconds, forgetPasswordTries } from './prove-password.store';

/**
 * The person who is signed in shows their password once more, before what a borrowed screen must not be able to do. Throws
 * `password.wrong`, and `login.blocked` after as many wrong ones as sign-in allows. Has transactions of its own: that a try counts must
 * not be rolled back with what it was for.
 */
export async function provePassword(db: Database<IdentityTables>, user_id: string, password: string): Promise<void> {
  await provenPassword(db, user_id, password);
}

/** The same; answers the address and the hash that was compared with, for whoever changes either. */
export async function provenPassword(
  db: Database<IdentityTables>,
  user_id: string,
  password: string,
): Promise<{ email: string; password_hash: string }> {
  const account = await db.asSystem('a password is proved by a person, in whichever organization', (tx) => countPasswordTry(tx, user_id));
  if (!account) {
    const retryAfterSeconds = await db.asSystem('how long a person is blocked', (tx) => findBlockSeconds(tx, user_id));
    throw retryAfterSeconds === undefined ? new AppError('session.expired') : new AppError('login.blocked', { retryAfterSeconds });
  }
  if (!(await passwordMatches(account.password_hash, password))) throw new AppError('password.wrong');
  await db.asSystem('a right password ends the count of wrong ones', (tx) => forgetPasswordTries(tx, user_id));
  return account;
}
