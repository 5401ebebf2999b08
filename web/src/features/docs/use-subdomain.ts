import { readSession } from '@tandem/contracts/endpoints';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call';
import { sendSignedIn } from '../../lib/http';
import { mayHaveSession } from '../../lib/session-cookie';

/** Placeholder in the samples if there is no subdomain or the reader is not signed in. */
export const anySubdomain = 'your-subdomain';

/** The subdomain of the reader's organization. Requested only if there may be a session; on failure the placeholder is shown. */
export function useSubdomain(): string {
  const [subdomain, setSubdomain] = useState(anySubdomain);
  useEffect(() => {
    if (!mayHaveSession()) return;
    const leaving = new AbortController();
    sendSignedIn(call(readSession), leaving.signal).then(
      ({ data }) => setSubdomain(data?.organization?.subdomain ?? anySubdomain),
      () => undefined, // The user has left the page in the meantime.
    );
    return () => leaving.abort();
  }, []);
  return subdomain;
}
