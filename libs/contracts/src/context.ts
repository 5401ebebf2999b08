import * as z from 'zod';
import { Id } from './scalars';
import { tokenPermissionNames } from './values/api-tokens';
import { roles } from './values/permissions';

/** Who performs an action. `customer` and `anonymous` never have an account; `system` is one of our processes. */
export const Actor = z.discriminatedUnion('type', [
  z.object({ type: z.literal('user'), user_id: Id, role: z.enum(roles).nullable(), session_id: Id }),
  z.object({
    type: z.literal('token'),
    token_id: Id,
    name: z.string(),
    /** Token permissions (`tickets:read`), not those of roles. */
    permissions: z.array(z.enum(tokenPermissionNames)),
    /** `mcp`: an assistant called a tool. */
    via: z.enum(['api', 'mcp']).default('api'),
  }),
  z.object({ type: z.literal('customer') }),
  z.object({ type: z.literal('task-tool') }),
  z.object({ type: z.literal('system') }),
]);
export type Actor = z.infer<typeof Actor>;

/**
 * The caller, the organization and the request. Signed in every request; included unsigned in every event and
 * every job. `organization_id` is null only before a user has an organization, and if the host belongs to none.
 */
export const Context = z.object({
  organization_id: Id.nullable(),
  actor: Actor,
  request_id: z.string().min(1).max(100),
  /**
   * The client's address and browser, if a person sent the request. `browser_hash` is the SHA-256 of the secret that the browser got
   * in a cookie when it signed up; only operations that create or confirm an account carry it.
   */
  client: z
    .object({
      ip: z.string().max(64),
      user_agent: z.string().max(512),
      browser_hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    })
    .optional(),
});
export type Context = z.infer<typeof Context>;
/** The context of a call, an event or a job that belongs to an organization. */
export type TenantContext = Context & { organization_id: string };

export const isTenantContext = (ctx: Context): ctx is TenantContext => ctx.organization_id !== null;

/** The form of an actor in an event's envelope: `user:ID`, `token:ID`, `customer`, `task-tool`, `system`. */
export function actorName(actor: Actor): string {
  if (actor.type === 'user') return `user:${actor.user_id}`;
  if (actor.type === 'token') return `token:${actor.token_id}`;
  return actor.type;
}

/** The context of work that no caller requested. */
export const systemContext = <O extends string | null>(organization_id: O, request_id: string): Context & { organization_id: O } => ({
  organization_id,
  actor: { type: 'system' },
  request_id,
});
