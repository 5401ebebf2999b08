import { webhookRules } from '@tandem/contracts/values';

/** The delay that a `Retry-After` header requests, in milliseconds; undefined without a valid one. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  // Some servers send fractions, which RFC 9110 does not allow.
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  // Without this check `Date.parse` would accept texts like 'tomorrow 5'.
  if (!/^[A-Za-z]{3}, /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * The delay before the next attempt in milliseconds; undefined after the last one. Up to 10 % is added, so that the documented delays are
 * minimums and the deliveries of an outage are not all retried at once. `Retry-After` raises the delay.
 */
export function nextDelayMs(attemptsMade: number, retryAfter?: string, now = Date.now(), random = Math.random()): number | undefined {
  const seconds = webhookRules.delaysSeconds[attemptsMade];
  if (seconds === undefined) return undefined;
  const requested = Math.min(retryAfterMs(retryAfter, now) ?? 0, webhookRules.maxRetryAfterSeconds * 1_000);
  return Math.max(Math.round(seconds * 1_000 * (1 + random * 0.1)), requested);
}
