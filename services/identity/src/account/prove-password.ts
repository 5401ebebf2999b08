import { AppError, type Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { recordAudit } from '../audit/audit.store';
import type { IdentityTables } from '../schema';
import { signedIn } from '../signed-in';
import { passwordMatches } from './password';
import { countPasswordTry, findBlockSeconds, forgetPasswordTries } from './prove-password.store';

/**
 * The person who is signed in shows their password once more, before what a borrowed screen must not be able to do. Throws
 * `password.wrong`, and `login.blocked` after as many wrong ones as sign-in allows. Has transactions of its own: that a try counts must
 * not be rolled back with what it was for, nor that a wrong one is noted in the log. Answers the address and the hash that was compared
 * with, for whoever changes either.
 */
export async function provePassword(
  db: Database<IdentityTables>,
  ctx: Context,
  password: string,
): Promise<{ email: string; password_hash: string }> {
  const { user_id } = signedIn(ctx);
  const { organization_id } = ctx;
  const account = await db.asSystem('a password is proved by a person, in whichever organization', (tx) => countPasswordTry(tx, user_id));
  if (!account) {
    const retryAfterSeconds = await db.asSystem('how long a person is blocked', (tx) => findBlockSeconds(tx, user_id));
    throw retryAfterSeconds === undefined ? new AppError('session.expired') : new AppError('login.blocked', { retryAfterSeconds });
  }
  if (!(await passwordMatches(account.password_hash, password))) {
    await db.asSystem('what looks wrong is noted, in whichever organization', (tx) =>
      recordAudit(tx, ctx, { type: 'password.proof_failed', organization_id }),
    );
    throw new AppError('password.wrong');
  }
  await db.asSystem('a right password ends the count of wrong ones', (tx) => forgetPasswordTries(tx, user_id));
  return account;
}
