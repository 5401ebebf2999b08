import { accessChanged, type Context } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { addAccessChange, emit } from '@tandem/messaging';
import { sql } from 'kysely';
import type { IdentityTables, SessionEnd } from '../schema';

/**
 * Locks a user until the transaction ends and returns the current password hash; undefined if the user does not exist. Every
 * transaction that creates or ends sessions or changes the second factor takes this lock first, so that they run one at a time per user.
 */
export async function lockUser(tx: Tx<IdentityTables>, user_id: string): Promise<{ password_hash: string } | undefined> {
  return tx.selectFrom('users').select('password_hash').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst();
}

/**
 * Invalidates every access token of a user. The gateway that forwarded the request applies it with the response, the others when they
 * receive the event. Sessions that are not ended get a new token by refreshing, with the role that applies by then.
 */
export async function bumpAccessVersion(tx: Tx<IdentityTables>, ctx: Context, user_id: string): Promise<void> {
  const { access_version } = await tx
    .updateTable('users')
    .set((row) => ({ access_version: row('access_version', '+', 1) }))
    .where('id', '=', user_id)
    .returning('access_version')
    .executeTakeFirstOrThrow();
  await emit(tx, ctx, accessChanged, user_id, { user_id, access_version });
  addAccessChange(ctx, { user_id, access_version });
}

/**
 * Ends all active sessions of a user, or all but one, and returns their number. Every gateway rejects their access tokens immediately. A
 * sign-in that waits for its second step has to start again.
 *
 * @param except the session that stays active
 */
export async function endSessions(
  tx: Tx<IdentityTables>,
  ctx: Context,
  user_id: string,
  end_reason: SessionEnd,
  except?: string,
): Promise<number> {
  // First, because it locks the user: a concurrent sign-in has either committed, and its session is ended below, or waits for the lock
  // and then sees the change.
  await bumpAccessVersion(tx, ctx, user_id);
  await tx.deleteFrom('mfa_challenges').where('user_id', '=', user_id).execute();
  const now = sql<string>`clock_timestamp()`;
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: now, end_reason })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .$if(except !== undefined, (query) => query.where('id', '!=', except!))
    .returning('id')
    .execute();
  return ended.length;
}
