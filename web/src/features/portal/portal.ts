import { useCallback, useEffect, useRef, useState } from 'react';
import { withChallenge } from '../../lib/challenge';
import { send, type ApiAnswer } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';
import { resend } from '../../lib/resend';
import { tabStorage } from '../../lib/tab-storage';
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

interface Submission {
  key: string;
  body: unknown;
}
interface SubmissionOptions {
  /** One per form: what it has sent is stored under this name until the server answers. */
  name: string;
  path: string;
  /** Names it while it waits for the connection. */
  label: string;
  onWorking?: () => void;
  onAnswer: (answer: ApiAnswer) => void;
}

/**
 * Sends a form until the server answers. The submission and its key are kept for this tab, so that a reload during an outage continues it and
 * the server gets it once.
 */
export function useSubmission(options: SubmissionOptions): (body: unknown, key: string) => void {
  const { name, onAnswer } = options;
  const first = useRef(options);
  useEffect(() => {
    receivers.set(name, onAnswer);
  });
  useEffect(() => {
    const left = tabStorage.read<Submission>(storageKeyOf(name));
    if (left && !underWay.has(left.key)) void sendSubmission(first.current, left);
  }, [name]);
  return (body, key) => void sendSubmission(options, { body, key });
}

/** Left and opened again, a form gets the answer to what it sent before. */
const receivers = new Map<string, SubmissionOptions['onAnswer']>();
const underWay = new Set<string>();
const storageKeyOf = (name: string) => `sending:${name}`;

async function sendSubmission({ name, path, label, onWorking }: SubmissionOptions, { key, body }: Submission): Promise<void> {
  if (underWay.has(key)) return;
  underWay.add(key);
  tabStorage.write(storageKeyOf(name), { key, body } satisfies Submission);
  const request = { path, method: 'POST' as const, body, headers: { 'idempotency-key': key }, resend: { label, isStored: true } };
  const answer = await resend(request, undefined, ({ headers }) =>
    withChallenge((proof) => send({ ...request, headers: { ...headers, ...proof } }), onWorking),
  );
  underWay.delete(key);
  tabStorage.remove(storageKeyOf(name));
  receivers.get(name)?.(answer);
}

/** The same key with corrected input would be refused as another request; without an answer it must stay the same. */
export const isDecided = (problem: ApiProblem): boolean => problem.status !== 0 && problem.status < 500;

const withEmail = (path: string, email: string): string => `${path}?email=${encodeURIComponent(email)}`;
/** The address of a ticket's page for its customer. */
export const statusPage = (id: string, email: string): string => withEmail(`/ticket-status/${encodeURIComponent(id)}`, email);
export const surveyPage = (id: string, email: string): string => withEmail(`/survey/${encodeURIComponent(id)}`, email);
