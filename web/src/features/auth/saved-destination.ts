import { safeRedirect } from '../../lib/redirect';
import { storage } from '../../lib/storage';

const key = 'after-confirmation';
/** As long as an invitation is valid. */
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
 * Stores the destination of a user who has to sign up first (usually for an invitation). The confirmation mail does not contain it, so
 * this browser stores it together with the email address: another person who signs up here must not be sent there.
 */
export function saveDestination(email: string, redirect: string): void {
  // The default destination need not be stored.
  if (redirect === safeRedirect(null)) return;
  storage.set(key, JSON.stringify({ email, redirect, until: Date.now() + keptMs } satisfies Kept));
}

/** Returns the stored destination and removes it, so that it is used only once. */
export function consumeDestination(email: string): string | undefined {
  const kept = read();
  if (!kept || !same(kept.email, email)) return undefined;
  storage.remove(key);
  return kept.until > Date.now() ? safeRedirect(kept.redirect) : undefined;
}
