import type { Branding } from '@tandem/contracts';
import { readBranding, verifyCustomDomain } from '@tandem/contracts/endpoints';
import { useEffect, useState } from 'react';
import { call } from '../../lib/call';
import { sendSignedIn } from '../../lib/http';
import { mayHaveSession } from '../../lib/session-cookie';

export interface CustomDomain {
  /** Undefined if the reader is not signed in or has no custom domain. */
  domain: string | undefined;
  record: { name: string; value: string } | null;
  isVerified: boolean;
  /** Looks up the TXT record. Only admins may. */
  check: () => Promise<void>;
  isChecking: boolean;
  problem: string | undefined;
}

/** The custom domain of the reader's organization, and whether its TXT record was found. Requests nothing without a session. */
export function useCustomDomain(): CustomDomain {
  const [branding, setBranding] = useState<Branding>();
  const [isChecking, setIsChecking] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (!mayHaveSession()) return;
    const leaving = new AbortController();
    sendSignedIn(call(readBranding), leaving.signal).then(
      ({ data }) => setBranding(data),
      () => undefined, // The user has left the page in the meantime.
    );
    return () => leaving.abort();
  }, []);
  const check = async () => {
    setIsChecking(true);
    const answer = await sendSignedIn(call(verifyCustomDomain));
    setIsChecking(false);
    setProblem(answer.problem?.detail ?? answer.problem?.title);
    if (answer.data) setBranding(answer.data);
  };
  return {
    domain: branding?.custom_domain ?? undefined,
    record: branding?.custom_domain_record ?? null,
    isVerified: branding?.custom_domain_verified === true && branding.custom_domain_missing_since === null,
    check,
    isChecking,
    problem,
  };
}
