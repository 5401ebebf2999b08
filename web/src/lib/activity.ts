import { sessionRules } from '@tandem/contracts/values';
import { storage } from './storage';

const key = 'last-activity';
const idleLimitSeconds = sessionRules.idleMinutes * 60;

/** Beside the storage, which the browser may forbid: then each tab knows only of itself. */
let here = 0;

/** When the person last did something in any tab (Unix ms); 0 when that is not known. A time that lies ahead is not believed. */
export function lastActivityAt(now = Date.now()): number {
  const elsewhere = Number(storage.get(key)) || 0;
  return Math.max(here <= now ? here : 0, elsewhere <= now ? elsewhere : 0);
}

export function noteActivity(now = Date.now()): void {
  here = now;
  storage.set(key, String(now));
}

/** For the server, which postpones the idle deadline by nothing else (contract of `refreshSession`). */
export function idleSeconds(now = Date.now()): number {
  const last = lastActivityAt(now);
  return last === 0 ? 0 : Math.min(Math.floor((now - last) / 1_000), idleLimitSeconds);
}
