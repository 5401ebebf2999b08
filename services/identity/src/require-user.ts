import { AppError, type Context } from '@tandem/contracts';

/** The signed-in caller. Only for operations that require a session. */
export function requireUser(ctx: Context): { user_id: string; session_id: string } {
  if (ctx.actor.type !== 'user') throw new AppError('session.required');
  return ctx.actor;
}
