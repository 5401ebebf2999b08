import type { PublicOrganization } from '@tandem/contracts';
import { createContext, useCallback, useContext, useEffect, useState } from 'react';
import { read } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';
import { readSite } from '../../lib/site';
import { asked, type Asked } from './portal';
import { tabStorage } from '../../lib/tab-storage';

const key = 'portal-organization';

const noOrganization: ApiProblem = {
  ...{ success: false, type: 'about:blank', title: 'Organization not found', status: 404 },
  ...{ code: 'organization.not_found', request_id: '' },
};

/**
 * The organization whose portal this page's host is. The tab remembers it: the next page begins with its name and colours instead of
 * changing into them, and looks whether they are still the same.
 */
export function usePortalOrganization(): Asked<PublicOrganization> & { retry: () => void } {
  const [result, setResult] = useState(() => firstResult(readSite().organization));
  const [round, setRound] = useState(0);
  useEffect(() => {
    // The gateway wrote it into this very page: there is nothing to ask.
    if (round === 0 && readSite().organization !== undefined) return;
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

function firstResult(written: PublicOrganization | null | undefined): Asked<PublicOrganization> {
  if (written === null) return { state: 'failed', problem: noOrganization };
  const known = written ?? tabStorage.read<PublicOrganization>(key);
  return known ? { state: 'there', value: known } : { state: 'loading' };
}

/** Undefined until it is known. */
export const PortalOrganization = createContext<PublicOrganization | undefined>(undefined);
export const useOrganization = (): PublicOrganization | undefined => useContext(PortalOrganization);
