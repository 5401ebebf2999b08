import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEvent } from '../generated/types';
import type { Tandem } from '../generated/client';
import { CliError } from './failure';
import { note, printRecord } from './output';

const prefix = 'whsec_';
const timeoutMs = 15_000;

export const newSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The headers of a real delivery. */
export function signedHeaders(event: WebhookEvent, body: string, secret: string, now = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tandem-Webhooks/1',
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${event.id}.${timestamp}.${body}`).digest('base64')}`,
    'x-tandem-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-tandem-event': event.event,
    'webhook-version': event.version,
  };
}

export interface ListenOptions {
  forwardTo: string;
  events?: string[];
  after: string;
  internalNotes: boolean;
  secret?: string;
}

/** Follows the organization's events and posts each to a local program, signed like a real delivery, one after the other. */
export async function listen(tandem: Tandem, options: ListenOptions): Promise<never> {
  const { forwardTo, events, after, internalNotes, secret = newSecret() } = options;
  if (!URL.canParse(forwardTo) || !/^https?:/.test(forwardTo))
    throw new CliError(`${forwardTo} is not a URL`, 'Give the address of your program: --forward-to http://localhost:4000/hook', 2);
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new CliError('This is not a secret', 'Leave --secret out, or give one that `tandem listen` printed: whsec_ and base64.', 2);
  note(`Your webhook secret is ${secret}`);
  note(`Forwarding to ${forwardTo}; press Ctrl-C to stop.`);
  const query = { after, include_internal_notes: internalNotes ? ('true' as const) : ('false' as const) };
  const onInterruption = (error: Error, delayMs: number) =>
    note(`The connection was interrupted (${error.message}). Trying again in ${Math.ceil(delayMs / 1_000)} s; no event is lost.`);
  for await (const { event, position } of tandem.changes.stream(query, { onInterruption })) {
    if (events && !events.includes(event.event)) continue;
    const begun = performance.now();
    const outcome = await forward(forwardTo, event, secret);
    const duration_ms = Math.round(performance.now() - begun);
    printRecord({ at: new Date().toISOString(), event: event.event, id: event.id, position, ...outcome, duration_ms });
  }
  throw new CliError('The stream ended', 'Run the command again.');
}

async function forward(url: string, event: WebhookEvent, secret: string): Promise<{ status: number | null; error?: string }> {
  const body = JSON.stringify(event);
  try {
    const headers = signedHeaders(event, body, secret);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    const { cause, name, message } = error as Error & { cause?: { code?: string } };
    const reason =
      name === 'TimeoutError'
        ? 'no response within 15 seconds'
        : cause?.code === 'ECONNREFUSED'
          ? 'no program is listening there: start yours'
          : (cause?.code ?? message);
    return { status: null, error: reason };
  }
}
