import { sessionRules } from '@tandem/contracts/values';
import { storage } from './storage';

const key = 'last-activity';
const idleLimitSeconds = sessionRules.idleMinutes * 60;

/** In-memory copy for when the browser blocks storage: then each tab knows only its own activity. */
let here = 0;

/** Time of the last user activity in any tab (Unix ms); 0 if unknown. Stored times in the future are ignored. */
export function lastActivityAt(now = Date.now()): number {
  const elsewhere = Number(storage.get(key)) || 0;
  return Math.max(here <= now ? here : 0, elsewhere <= now ? elsewhere : 0);
}

export function recordUserActivity(now = Date.now()): void {
  here = now;
  storage.set(key, String(now));
}

/** For the server, which extends the idle deadline by this value only (contract of `refreshSession`). */
export function idleSeconds(now = Date.now()): number {
  const last = lastActivityAt(now);
  return last === 0 ? 0 : Math.min(Math.floor((now - last) / 1_000), idleLimitSeconds);
}
