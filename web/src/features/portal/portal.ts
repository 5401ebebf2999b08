import type { PublicOrganization, PublicTicket } from '@tandem/contracts';
import { useCallback, useEffect, useState } from 'react';
import { read, send, type ApiAnswer } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';
import { uniqueKey } from '../../lib/unique';

/** Something that is being asked for, was answered, or could not be had. */
export type Asked<T> = { state: 'loading' } | { state: 'there'; value: T } | { state: 'failed'; problem: ApiProblem };

const asked = <T>(answer: ApiAnswer): Asked<T> =>
  answer.problem ? { state: 'failed', problem: answer.problem } : { state: 'there', value: answer.data as T };

/** The organization whose portal this page's host is. */
export function usePortalOrganization(): Asked<PublicOrganization> & { retry: () => void } {
  const [result, setResult] = useState<Asked<PublicOrganization>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    read({ path: '/public/organization' }, leaving.signal).then(
      (answer) => setResult(asked(answer)),
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

const pollMs = 20_000;

/** A ticket as its customer may see it; asked for again every 20 s while the page is looked at, so that a reply appears by itself. */
export function usePublicTicket(id: string, email: string): Asked<PublicTicket> & { refresh: () => void } {
  const [result, setResult] = useState<Asked<PublicTicket>>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    const ask = (): void => {
      read({ path: `/public/tickets/${encodeURIComponent(id)}`, query: { email } }, leaving.signal).then(
        (answer) => {
          // A hiccup of a later round is no reason to take away what is on the page.
          setResult((before) => (answer.problem && before.state === 'there' && answer.problem.status !== 404 ? before : asked(answer)));
        },
        () => undefined, // left the page meanwhile
      );
    };
    const askWhenSeen = () => {
      if (document.visibilityState === 'visible') ask();
    };
    ask();
    const timer = setInterval(askWhenSeen, pollMs);
    document.addEventListener('visibilitychange', askWhenSeen);
    return () => {
      leaving.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', askWhenSeen);
    };
  }, [id, email, round]);
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  return { ...result, refresh };
}

/** A key that makes a repeated press of the button one submission; renewed after each that was taken. */
export function useSubmissionKey(): { key: string; renew: () => void } {
  const [key, setKey] = useState(uniqueKey);
  return { key, renew: useCallback(() => setKey(uniqueKey()), []) };
}

export const post = (path: string, body: unknown, key?: string): Promise<ApiAnswer> =>
  send({ path, method: 'POST', body, ...(key ? { headers: { 'idempotency-key': key } } : {}) });

/** The address of a ticket's page for its customer. */
export const statusPage = (id: string, email: string): string => `/ticket-status/${id}?email=${encodeURIComponent(email)}`;
