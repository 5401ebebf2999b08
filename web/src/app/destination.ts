import { useState } from 'react';
import { useLocation, useSearchParams, type Location } from 'react-router-dom';
import { sessionEnd } from './session-end';
import { safeRedirect } from '../lib/redirect';

const standard = '/dashboard';

/**
 * Where to go once signed in: `?redirect=`, inside the product only; else where the session ended; else the page whose guard sent the
 * person here. Whoever signed out did not want to go back.
 */
export function useDestination(): string {
  const [search] = useSearchParams();
  const from = (useLocation().state as { from?: Location } | null)?.from;
  // As it was on arrival: signing in forgets it.
  const [end] = useState(sessionEnd);
  const wanted = search.get('redirect');
  if (wanted !== null) return safeRedirect(wanted);
  if (end?.from) return safeRedirect(end.from);
  return from && end?.reason !== 'signed_out' ? safeRedirect(`${from.pathname}${from.search}`) : standard;
}

/** An address of the sign-in pages that keeps where the person wants to go. */
export function addressWith(path: string, destination: string, more: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...more, ...(destination === standard ? {} : { redirect: destination }) }).toString();
  return search ? `${path}?${search}` : path;
}
