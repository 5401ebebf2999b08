import type { PublicOrganization } from '@tandem/contracts';
import { createContext, useCallback, useContext, useEffect, useState } from 'react';
import { read } from '../../lib/http';
import { asked, type Asked } from './portal';
import { tabStorage } from '../../lib/tab-storage';

const key = 'portal-organization';

/**
 * The organization whose portal this page's host is. The tab remembers it: the next page begins with its name and colours instead of
 * changing into them, and looks whether they are still the same.
 */
export function usePortalOrganization(): Asked<PublicOrganization> & { retry: () => void } {
  const [result, setResult] = useState<Asked<PublicOrganization>>(() => {
    const known = tabStorage.read<PublicOrganization>(key);
    return known ? { state: 'there', value: known } : { state: 'loading' };
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    read({ path: '/public/organization' }, leaving.signal).then(
      (answer) => {
        // Only 'there is none' takes a known one away: a hiccup does not.
        setResult((before) => (before.state === 'there' && answer.problem && answer.problem.status !== 404 ? before : asked(answer)));
        if (!answer.problem) tabStorage.write(key, answer.data);
      },
      () => undefined, // left the page meanwhile
    );
    return () => leaving.abort();
  }, [round]);
  const retry = useCallback(() => {
    setResult({ state: 'loading' });
    setRound((before) => before + 1);
  }, []);
  return { ...result, retry };
}

/** Undefined until it is known. */
export const PortalOrganization = createContext<PublicOrganization | undefined>(undefined);
export const useOrganization = (): PublicOrganization | undefined => useContext(PortalOrganization);
