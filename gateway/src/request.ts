import type { Context } from '@tandem/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionClaims } from './auth/access-token';
import type { Counter } from './limits/limits';
import type { Count } from './limits/redis-limit-storage';

/** A request as the guards leave it for the handlers. */
export type GatewayRequest = FastifyRequest & {
  /** The verified session; only set where the operation looks at it. */
  user?: SessionClaims;
  /** The access token was ours, but its time is over, or the person's access has changed: the browser should refresh. */
  accessTokenExpired?: boolean;
  /** The hash of the secret that this browser got when it signed up; set by the routes that pass it on (`SignUpBinding`). */
  browserHash?: string;
  /** What the limiter counted for this request, to be given back or reset by its outcome. */
  counted?: Counter[];
  /** Where each of these counts stood with this request. */
  counts?: Count[];
};
export type GatewayReply = FastifyReply;

/** The body as it came; the content-type hook has let JSON (or a raw webhook) through and nothing else. */
export const bytesOf = (request: GatewayRequest): Buffer | undefined => (Buffer.isBuffer(request.body) ? request.body : undefined);

/** The context of this request as one kind of caller. */
export function contextOf(request: GatewayRequest, actor: Context['actor'], organization_id: string | null): Context {
  return {
    organization_id,
    actor,
    request_id: request.id,
    client: {
      ip: request.ip.slice(0, 64),
      user_agent: (request.headers['user-agent'] ?? '').slice(0, 512),
      ...(request.browserHash === undefined ? {} : { browser_hash: request.browserHash }),
    },
  };
}

/** The context of a signed-in person. Who has to set up two-factor sign-in first has no role until then: the owners refuse, too. */
export const contextOfSession = (request: GatewayRequest, claims: SessionClaims): Context =>
  contextOf(request, { type: 'user', user_id: claims.sub, role: claims.enrol ? null : claims.role, session_id: claims.sid }, claims.org);

/** The host that the client asked for (Fastify sees through trusted proxies, and only those), with its port: hosts have no case. */
export const hostOf = (request: GatewayRequest): string => request.host.toLowerCase();
