import { AppError, type Context, type KnownApiToken } from '@tandem/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionClaims } from './auth/access-token';
import type { Counter, Count } from './limits/counter';

/** A request with the data that the guards add to it. */
export type GatewayRequest = FastifyRequest & {
  /** The verified session; set only if the operation uses sessions. */
  user?: SessionClaims;
  /** The API token that was sent with the request; set only if the operation uses sessions. Then `user` is not set. */
  apiToken?: KnownApiToken;
  /** The API token whose value was sent, even if the request may not use it. */
  presentedToken?: KnownApiToken;
  /** The MCP tool that the request calls, for the log of the token's requests. */
  mcpTool?: string;
  /** The code of the error response or of the tool's error, for the log of the token's requests. */
  problemCode?: string | null;
  /** The access token is valid but expired, or was superseded by a change to the person's access: the browser should refresh. */
  accessTokenExpired?: boolean;
  /** The hash of the secret that this browser received when it signed up; set only by the routes that pass it on (`SignUpBinding`). */
  browserHash?: string;
  /** The counters that were incremented for this request, so that its outcome can refund or reset them. */
  consumed?: Counter[];
  /** The values of these counters after this request. */
  counts?: Count[];
  /** The version of the data that the operation reads, read before the operation: set only if it is `versioned`. */
  dataVersion?: string;
};
export type GatewayReply = FastifyReply;

/** The unparsed body; the content-type hook accepts only JSON, or any type on raw routes. */
export const bytesOf = (request: GatewayRequest): Buffer | undefined => (Buffer.isBuffer(request.body) ? request.body : undefined);

/** The context of this request for the given actor. */
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

/**
 * The context of a signed-in user. Without a role while the user still has to set up two-factor sign-in, so that the services reject calls
 * too.
 */
export const contextOfSession = (request: GatewayRequest, claims: SessionClaims): Context =>
  contextOf(request, { type: 'user', user_id: claims.sub, role: claims.enrol ? null : claims.role, session_id: claims.sid }, claims.org);

/** The context of an API token. */
export const contextOfToken = (
  request: GatewayRequest,
  { id, name, permissions, organization_id }: KnownApiToken,
  via: 'api' | 'mcp' = 'api',
): Context => contextOf(request, { type: 'token', token_id: id, name, permissions, via }, organization_id);

/** The context of the signed-in user or the API token, or undefined if the request has neither. */
export function contextOfCaller(request: GatewayRequest): Context | undefined {
  if (request.apiToken !== undefined) return contextOfToken(request, request.apiToken);
  return request.user && contextOfSession(request, request.user);
}

/** The organization of a signed-in user. `AllowGuard` has already rejected users without one if the operation needs it. */
export function organizationOf({ org }: SessionClaims): string {
  if (org === null) throw new AppError('organization.required');
  return org;
}

/**
 * The requested host with its port, lower case because hosts are case-insensitive. Fastify uses forwarded headers of trusted proxies only.
 */
export const hostOf = (request: GatewayRequest): string => request.host.toLowerCase();
