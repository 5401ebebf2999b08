import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { trace } from '@opentelemetry/api';
import type { Context } from '@tandem/contracts';
import { contextHeader, verifyContext } from './context';

const contexts = new WeakMap<IncomingMessage, Context | null>();

/** The signed context of a request, verified once per request; `undefined` if there is no valid one. */
export function contextOf(request: IncomingMessage, secret: string): Context | undefined {
  let ctx = contexts.get(request);
  if (ctx === undefined) {
    ctx = verifyContext(request.headers[contextHeader] as string | undefined, secret) ?? null;
    contexts.set(request, ctx);
  }
  return ctx ?? undefined;
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
  (secret: string) =>
  (request: IncomingMessage): string =>
    contextOf(request, secret)?.request_id ?? randomUUID();
