import { checkSubdomain } from '@tandem/contracts/endpoints';
import { subdomainRule } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import { call, type Result } from '../../lib/call';
import { read, type ApiAnswer } from '../../lib/http';
import { t } from '../../lib/staff-texts';

/** Debounce: not every prefix needs a check. */
const debounceMs = 400;
/** Used if the server sends no message. */
const taken = t('team.this_subdomain_is_already_taken');

export type SubdomainState = 'unchanged' | 'none' | 'typing' | 'invalid' | 'checking' | 'available' | 'taken' | 'unknown';
type CheckResult = { of: string; state: SubdomainState; message?: string };

/**
 * Checks a subdomain while it is being typed: the format immediately, the availability on the server after a pause. An outdated request is
 * aborted. The server checks again on save.
 */
export function useSubdomainCheck(wanted: string, stored: string): { state: SubdomainState; message?: string } {
  const [result, setResult] = useState<CheckResult>();
  useEffect(() => {
    if (wanted === '' || wanted === stored) return;
    const leaving = new AbortController();
    const receive = (answer: ApiAnswer<Result<typeof checkSubdomain>>) => {
      if (leaving.signal.aborted) return;
      // If the check fails, the availability stays unknown until the user saves.
      if (answer.problem) return setResult({ of: wanted, state: 'unknown' });
      const { available, message } = answer.data;
      setResult({ of: wanted, ...(available ? { state: 'available' } : { state: 'taken', message: message ?? taken }) });
    };
    const ask = () => {
      if (!subdomainRule.pattern.test(wanted)) return setResult({ of: wanted, state: 'invalid', message: subdomainRule.message });
      setResult({ of: wanted, state: 'checking' });
      read(call(checkSubdomain, { query: { subdomain: wanted } }), leaving.signal).then(receive, () => undefined);
    };
    const timer = setTimeout(ask, debounceMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [wanted, stored]);
  if (wanted === stored) return { state: 'unchanged' };
  if (wanted === '') return { state: 'none' };
  return result?.of === wanted ? result : { state: 'typing' };
}
