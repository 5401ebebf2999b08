import { readAnalytics, readSession } from '@tandem/contracts/endpoints';
import { call } from '../lib/call';
import { readEarly } from '../lib/early-reads';
import { mayHaveSession } from '../lib/session-cookie';

/** Whether the browser has opened a page behind the sign-in, not a public one. */
export const opensStaffPage = !/^\/($|compare|submit-ticket|ticket-status|survey|help|docs|auth|accept-invitation|operator)/.test(
  window.location.pathname,
);

// main.tsx imports this file first, so that the server answers while the browser evaluates the code of the page.
if (opensStaffPage && mayHaveSession()) {
  readEarly(call(readSession));
  const { pathname, search } = window.location;
  // Only the default range without filters: other views are read from the address by the page's own code.
  if (pathname === '/analytics' && search === '') readEarly(call(readAnalytics));
}
