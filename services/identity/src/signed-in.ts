import { AppError, type Context } from '@tandem/contracts';

/** The person who calls. Operations that are not for `signed-in` have no business asking. */
export function signedIn(ctx: Context): { user_id: string; session_id: string } {
  if (ctx.actor.type !== 'user') throw new AppError('session.required');
  return ctx.actor;
}
