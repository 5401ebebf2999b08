import type { Session } from '@tandem/contracts';
import { useEffect, useState } from 'react';
import { mayHaveSession, sendSignedIn } from '../../lib/http';

/** What stands in the samples for whoever has no subdomain, or is not signed in. */
export const anySubdomain = 'your-subdomain';

/** Of the reader's organization. Only a browser that may hold a session asks; whatever fails, the page is complete without. */
export function useSubdomain(): string {
  const [subdomain, setSubdomain] = useState(anySubdomain);
  useEffect(() => {
    if (!mayHaveSession()) return;
    const leaving = new AbortController();
    sendSignedIn({ path: '/auth/session' }, leaving.signal).then(
      ({ data }) => setSubdomain((data as Session | null | undefined)?.organization?.subdomain ?? anySubdomain),
      () => undefined, // left the page meanwhile
    );
    return () => leaving.abort();
  }, []);
  return subdomain;
}
