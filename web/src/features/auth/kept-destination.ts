import { safeRedirect } from '../../lib/redirect';
import { storage } from '../../lib/storage';

const key = 'after-confirmation';
/** As long as an invitation is open. */
const keptMs = 7 * 24 * 60 * 60 * 1_000;

interface Kept {
  email: string;
  redirect: string;
  until: number;
}
const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

function read(): Kept | undefined {
  try {
    const kept = JSON.parse(storage.get(key) ?? 'null') as Partial<Kept> | null;
    return typeof kept?.email === 'string' && typeof kept.redirect === 'string' && typeof kept.until === 'number'
      ? (kept as Kept)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a person wanted to go who had to sign up first (an invitation, mostly). The confirmation mail knows nothing of it, so this browser
 * keeps it, together with the address it belongs to: somebody else who signs up here goes elsewhere.
 */
export function keepDestination(email: string, redirect: string): void {
  // Where everybody goes anyway needs no remembering.
  if (redirect === safeRedirect(null)) return;
  storage.set(key, JSON.stringify({ email, redirect, until: Date.now() + keptMs } satisfies Kept));
}

/** Once: whoever comes again has been there. */
export function takeDestination(email: string): string | undefined {
  const kept = read();
  if (!kept || !same(kept.email, email)) return undefined;
  storage.remove(key);
  return kept.until > Date.now() ? safeRedirect(kept.redirect) : undefined;
}
