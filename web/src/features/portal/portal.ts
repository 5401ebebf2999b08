import { useCallback, useState } from 'react';
import { withChallenge } from '../../lib/challenge';
import { send, type ApiAnswer } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';
import { uniqueKey } from '../../lib/unique';

/** Something that is being asked for, was answered, or could not be had. */
export type Asked<T> = { state: 'loading' } | { state: 'there'; value: T } | { state: 'failed'; problem: ApiProblem };

export const asked = <T>(answer: ApiAnswer): Asked<T> =>
  answer.problem ? { state: 'failed', problem: answer.problem } : { state: 'there', value: answer.data as T };

/** A key that makes a repeated press of the button one submission; renewed after each that was taken. */
export function useSubmissionKey(): { key: string; renew: () => void } {
  const [key, setKey] = useState(uniqueKey);
  return { key, renew: useCallback(() => setKey(uniqueKey()), []) };
}

export const post = (path: string, body: unknown, key?: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  send({ path, method: 'POST', body, headers: { ...headers, ...(key ? { 'idempotency-key': key } : {}) } });

/** As `post`; under abuse the browser has to prove first that it is one. `onWorking` hears that this takes a moment. */
export const postProven = (path: string, body: unknown, key?: string, onWorking?: () => void): Promise<ApiAnswer> =>
  withChallenge((headers) => post(path, body, key, headers), onWorking);

/** The same key with corrected input would be refused as another request; without an answer it must stay the same. */
export const isDecided = (problem: ApiProblem): boolean => problem.status !== 0 && problem.status < 500;

const withEmail = (path: string, email: string): string => `${path}?email=${encodeURIComponent(email)}`;
/** The address of a ticket's page for its customer. */
export const statusPage = (id: string, email: string): string => withEmail(`/ticket-status/${encodeURIComponent(id)}`, email);
export const surveyPage = (id: string, email: string): string => withEmail(`/survey/${encodeURIComponent(id)}`, email);
