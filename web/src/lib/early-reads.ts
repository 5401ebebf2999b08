import type { ApiRequest } from './api-request';
import { urlOf } from './api-url';
import { onSignOut } from './session-cleanup';

interface EarlyRead {
  response: Promise<Response>;
  sentAt: number;
}
const sent = new Map<string, EarlyRead>();
/** Longer than the first screen takes to load; afterwards the response could be outdated. */
const maxAgeMs = 10_000;

/** Sends reads of the first screen while its code is still loading. The request with the same URL (`send` in http.ts) gets the response. */
export function readEarly(...requests: ApiRequest[]): void {
  for (const request of requests) {
    const url = urlOf(request);
    const response = fetch(url, { headers: { accept: 'application/json' }, credentials: 'same-origin' });
    // The request that gets the response handles the error.
    response.catch(() => undefined);
    sent.set(url, { response, sentAt: Date.now() });
  }
}

/** The response to an early read. Each is used once. */
export function takeEarlyRead(url: string): Promise<Response> | undefined {
  const early = sent.get(url);
  sent.delete(url);
  return early && Date.now() - early.sentAt < maxAgeMs ? early.response : undefined;
}

/** Responses from before the access token was renewed would be 401, and those of another user must not be shown. */
export const dropEarlyReads = (): void => sent.clear();
onSignOut({ drop: dropEarlyReads });
