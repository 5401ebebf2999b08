import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { trace } from '@opentelemetry/api';
import { AppError, type Context } from '@tandem/contracts';
import { contextHeader, ContextVerifier, requestIdHeader } from './context';

const contexts = new WeakMap<IncomingMessage, Context | null>();
/** By the list of secrets: one per process. */
const verifiers = new WeakMap<readonly string[], ContextVerifier>();

function verifierFor(secrets: readonly string[]): ContextVerifier {
  let verifier = verifiers.get(secrets);
  if (verifier === undefined) verifiers.set(secrets, (verifier = new ContextVerifier(secrets)));
  return verifier;
}

/** The context that is signed, with the id of this request. The id needs no signature: it grants nothing, and only our processes sign contexts. */
function verifiedContextOf({ headers }: IncomingMessage, secrets: readonly string[]): Context | undefined {
  const signed = verifierFor(secrets).verify(headers[contextHeader] as string | undefined);
  if (signed === undefined) return undefined;
  const id = headers[requestIdHeader];
  // A copy in any case: responses are associated with the context of their request.
  return { ...signed, request_id: typeof id === 'string' && id !== '' && id.length <= 100 ? id : signed.request_id };
}

/** The signed context of a request, verified once per request; `undefined` if there is no valid one. */
export function contextOf(request: IncomingMessage, secrets: readonly string[]): Context | undefined {
  let ctx = contexts.get(request);
  if (ctx === undefined) {
    ctx = verifiedContextOf(request, secrets) ?? null;
    contexts.set(request, ctx);
  }
  return ctx ?? undefined;
}

/** Whether the request has a context that cannot be verified. The caller has another CONTEXT_SECRET, or another time on its clock. */
export const hasForeignContext = (request: IncomingMessage, secrets: readonly string[]): boolean =>
  request.headers[contextHeader] !== undefined && contextOf(request, secrets) === undefined;

/**
 * The signed context of a request. Throws 401 without a context, and 503 for one that cannot be verified: that is a mistake of the
 * installation, and a browser that receives 401 would sign its user out.
 */
export function requireContext(request: IncomingMessage, secrets: readonly string[]): Context {
  const ctx = contextOf(request, secrets);
  if (ctx) return ctx;
  if (!hasForeignContext(request, secrets)) throw new AppError('session.required');
  const cause = new Error('The signed context cannot be verified: the caller has another CONTEXT_SECRET, or its clock differs by a minute');
  throw new AppError('service.unavailable', { retryAfterSeconds: 2, cause });
}

/** Sets the caller of a request that has no signed context, because this process has authenticated it. */
export function identifyCaller(request: IncomingMessage, ctx: Context): void {
  contexts.set(request, ctx);
  nameTokenInSpan(ctx);
}

/** Adds the id of the calling API token to the active span. */
export function nameTokenInSpan({ actor }: Pick<Context, 'actor'>): void {
  if (actor.type === 'token') trace.getActiveSpan()?.setAttribute('tandem.token_id', actor.token_id);
}

/**
 * The request's id in logs and responses: the gateway's, if a signed context has it, else a new one.
 * A client's own `X-Request-Id` is never used: it could repeat another request's id, or inject text into our logs.
 */
export const requestIdOf =
  (secrets: readonly string[]) =>
  (request: IncomingMessage): string =>
    contextOf(request, secrets)?.request_id ?? randomUUID();
