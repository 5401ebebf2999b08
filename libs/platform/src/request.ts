import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from '@tandem/contracts';
import { contextHeader, verifyContext } from './context';

const contexts = new WeakMap<IncomingMessage, Context | null>();

/** The signed context of a request, verified once however often it is asked for; `undefined` when there is none that holds. */
export function contextOf(request: IncomingMessage, secret: string): Context | undefined {
  let ctx = contexts.get(request);
  if (ctx === undefined) {
    ctx = verifyContext(request.headers[contextHeader] as string | undefined, secret) ?? null;
    contexts.set(request, ctx);
  }
  return ctx ?? undefined;
}

/**
 * The id under which a request is logged and answered: the gateway's, when a signed context carries it, else a new one.
 * A client's own `X-Request-Id` is never taken over: it could claim another request's id, or write into our logs.
 */
export const requestIdOf =
  (secret: string) =>
  (request: IncomingMessage): string =>
    contextOf(request, secret)?.request_id ?? randomUUID();
