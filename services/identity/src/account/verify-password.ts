import { AppError, type Context } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import { recordAudit } from '../audit/audit.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { passwordMatches } from './password';
import { countPasswordAttempt, findBlockSeconds, resetPasswordAttempts } from './verify-password.store';

/**
 * Verifies the signed-in user's password again before sensitive changes, to protect an unattended browser. Throws `password.wrong`, or
 * `login.blocked` after as many wrong attempts as sign-in allows. Uses its own transactions: the count and the log entry of a wrong attempt
 * must survive a rollback of the caller. Returns the address and the verified hash for callers that change either.
 */
export async function verifyPassword(
  db: Database<IdentityTables>,
  ctx: Context,
  password: string,
): Promise<{ email: string; password_hash: string }> {
  const { user_id } = requireUser(ctx);
  const { organization_id } = ctx;
  const account = await db.asSystem('password attempt of a user in any organization', (tx) => countPasswordAttempt(tx, user_id));
  if (!account) {
    const retryAfterSeconds = await db.asSystem('password block of a user in any organization', (tx) => findBlockSeconds(tx, user_id));
    throw retryAfterSeconds === undefined ? new AppError('session.expired') : new AppError('login.blocked', { retryAfterSeconds });
  }
  if (!(await passwordMatches(account.password_hash, password))) {
    await db.asSystem('audit entry of a user in any organization', (tx) =>
      recordAudit(tx, ctx, { type: 'password.proof_failed', organization_id }),
    );
    throw new AppError('password.wrong');
  }
  await db.asSystem('reset the password attempts of a user in any organization', (tx) => resetPasswordAttempts(tx, user_id));
  return account;
}
