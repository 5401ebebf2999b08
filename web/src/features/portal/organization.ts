import type { PublicOrganization } from '@tandem/contracts';
import { readPublicOrganization } from '@tandem/contracts/endpoints';
import { createContext, useCallback, useContext, useEffect, useState } from 'react';
import { call } from '../../lib/call';
import { read } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';
import { readSite } from '../../lib/site';
import { toRemoteData, type RemoteData } from './portal';
import { tabStorage } from '../../lib/tab-storage';

const key = 'portal-organization';

const noOrganization: ApiProblem = {
  success: false,
  type: 'about:blank',
  title: 'Organization not found',
  status: 404,
  code: 'organization.not_found',
  request_id: '',
};

/**
 * The organization of this host's portal. It is cached in the tab, so that the next page renders its name and colors immediately, and is
 * refetched to detect changes.
 */
export function usePortalOrganization(): RemoteData<PublicOrganization> & { retry: () => void } {
  const [result, setResult] = useState(() => firstResult(readSite().organization));
  const [round, setRound] = useState(0);
  useEffect(() => {
    // The gateway has written the organization into this page: no request is needed.
    if (round === 0 && readSite().organization !== undefined) return;
    const leaving = new AbortController();
    read(call(readPublicOrganization), leaving.signal).then(
      (answer) => {
        // Only a 404 removes a known organization: a temporary failure does not.
        setResult((before) =>
          before.state === 'loaded' && answer.problem && answer.problem.status !== 404 ? before : toRemoteData(answer),
        );
        if (!answer.problem) tabStorage.write(key, answer.data);
      },
      () => undefined, // The user has left the page in the meantime.
    );
    return () => leaving.abort();
  }, [round]);
  const retry = useCallback(() => {
    setResult({ state: 'loading' });
    setRound((before) => before + 1);
  }, []);
  return { ...result, retry };
}

function firstResult(written: PublicOrganization | null | undefined): RemoteData<PublicOrganization> {
  if (written === null) return { state: 'failed', problem: noOrganization };
  const known = written ?? tabStorage.read<PublicOrganization>(key);
  return known ? { state: 'loaded', value: known } : { state: 'loading' };
}

/** Undefined until the organization is loaded. */
export const PortalOrganization = createContext<PublicOrganization | undefined>(undefined);
export const useOrganization = (): PublicOrganization | undefined => useContext(PortalOrganization);
