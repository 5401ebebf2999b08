import { accessChanged, type Context } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import type { IdentityTables, SessionEnd } from '../schema';

/**
 * Makes every access token that a person holds worthless from here on, and announces it to the gateways. Sessions that are not ended
 * get a new token by refreshing, with the role that holds by then.
 */
export async function renewAccess(tx: Tx<IdentityTables>, ctx: Context, user_id: string): Promise<void> {
  const { access_version } = await tx
    .updateTable('users')
    .set((row) => ({ access_version: row('access_version', '+', 1) }))
    .where('id', '=', user_id)
    .returning('access_version')
    .executeTakeFirstOrThrow();
  await emit(tx, ctx, accessChanged, user_id, { user_id, access_version });
}

/**
 * Ends all sessions of a person, or all but one, and answers how many. Their access tokens end with them: at once, on every gateway.
 *
 * @param except the session that goes on
 */
export async function endSessions(
  tx: Tx<IdentityTables>,
  ctx: Context,
  user_id: string,
  end_reason: SessionEnd,
  except?: string,
): Promise<number> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: sql<string>`clock_timestamp()`, end_reason })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .$if(except !== undefined, (query) => query.where('id', '!=', except!))
    .returning('id')
    .execute();
  await renewAccess(tx, ctx, user_id);
  return ended.length;
}
