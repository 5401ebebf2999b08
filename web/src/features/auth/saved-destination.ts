import { safeRedirect } from '../../lib/redirect';
import { storage } from '../../lib/storage';

const key = 'after-confirmation';
/** As long as an invitation is valid. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1_000;

interface SavedDestination {
  email: string;
  redirect: string;
  until: number;
}
const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

function read(): SavedDestination | undefined {
  try {
    const saved = JSON.parse(storage.get(key) ?? 'null') as Partial<SavedDestination> | null;
    return typeof saved?.email === 'string' && typeof saved.redirect === 'string' && typeof saved.until === 'number'
      ? (saved as SavedDestination)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores the destination of a user who has to sign up first (usually for an invitation). The confirmation email does not contain it, so
 * this browser stores it together with the email address: another person who signs up here must not be sent there.
 */
export function saveDestination(email: string, redirect: string): void {
  // The default destination need not be stored.
  if (redirect === safeRedirect(null)) return;
  storage.set(key, JSON.stringify({ email, redirect, until: Date.now() + maxAgeMs } satisfies SavedDestination));
}

/** Returns the stored destination and removes it, so that it is used only once. */
export function consumeDestination(email: string): string | undefined {
  const saved = read();
  if (!saved || !same(saved.email, email)) return undefined;
  storage.remove(key);
  return saved.until > Date.now() ? safeRedirect(saved.redirect) : undefined;
}
