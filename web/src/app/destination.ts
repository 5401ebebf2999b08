import { useState } from 'react';
import { useLocation, useSearchParams, type Location } from 'react-router-dom';
import { sessionEnd } from './session-end';
import { safeRedirect } from '../lib/redirect';

const standard = '/dashboard';

/**
 * The page to open after sign-in: `?redirect=` (addresses inside the product only), else the page where the session ended, else the page
 * whose guard redirected here. After a deliberate sign-out it is the dashboard.
 */
export function useDestination(): string {
  const [search] = useSearchParams();
  const from = (useLocation().state as { from?: Location } | null)?.from;
  // Read once on arrival: signing in clears it.
  const [end] = useState(sessionEnd);
  const wanted = search.get('redirect');
  if (wanted !== null) return safeRedirect(wanted);
  if (end?.from) return safeRedirect(end.from);
  return from && end?.reason !== 'signed_out' ? safeRedirect(`${from.pathname}${from.search}`) : standard;
}

/** A sign-in page address that preserves the destination. */
export function addressWith(path: string, destination: string, more: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...more, ...(destination === standard ? {} : { redirect: destination }) }).toString();
  return search ? `${path}?${search}` : path;
}
