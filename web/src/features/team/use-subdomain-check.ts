import { subdomainRule } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import { useLazyCheckSubdomainQuery } from './team.api';

/** Long enough to type on: nobody needs to know about every prefix of a word. */
const pauseMs = 400;
/** Spec part 2, section 5. */
const taken = 'This subdomain is already taken';

export type SubdomainState = 'unchanged' | 'none' | 'typing' | 'invalid' | 'checking' | 'available' | 'taken' | 'unknown';
type Verdict = { of: string; state: SubdomainState; message?: string };

/**
 * What is known about a subdomain while it is being typed: by the rule at once, by the server after a pause. A question whose answer
 * would come too late is withdrawn. The server checks again when it saves.
 */
export function useSubdomainCheck(wanted: string, stored: string): { state: SubdomainState; message?: string } {
  const [check] = useLazyCheckSubdomainQuery();
  const [verdict, setVerdict] = useState<Verdict>();
  useEffect(() => {
    if (wanted === '' || wanted === stored) return;
    let question: ReturnType<typeof check> | undefined;
    const ask = () => {
      if (!subdomainRule.pattern.test(wanted)) return setVerdict({ of: wanted, state: 'invalid', message: subdomainRule.message });
      setVerdict({ of: wanted, state: 'checking' });
      question = check(wanted);
      void question.then(({ data, isError }) => {
        // Withdrawn, or not to be had: then saving will tell.
        if (isError || !data) return setVerdict((before) => (before?.of === wanted ? { of: wanted, state: 'unknown' } : before));
        setVerdict({ of: wanted, ...(data.available ? { state: 'available' } : { state: 'taken', message: data.message ?? taken }) });
      });
    };
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      question?.abort();
    };
  }, [wanted, stored, check]);
  if (wanted === stored) return { state: 'unchanged' };
  if (wanted === '') return { state: 'none' };
  return verdict?.of === wanted ? verdict : { state: 'typing' };
}
