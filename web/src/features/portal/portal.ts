import { useCallback, useEffect, useRef, useState } from 'react';
import { withChallenge } from '../../lib/challenge';
import { send, type ApiAnswer, type ApiRequest } from '../../lib/http';
import type { ApiProblem } from '../../lib/problem';
import { resend } from '../../lib/resend';
import { tabStorage } from '../../lib/tab-storage';
import { uniqueKey } from '../../lib/unique';

/** A request that is running, has succeeded or has failed. */
export type RemoteData<T> = { state: 'loading' } | { state: 'loaded'; value: T } | { state: 'failed'; problem: ApiProblem };

export const toRemoteData = <T>(answer: ApiAnswer<T>): RemoteData<T> =>
  answer.problem ? { state: 'failed', problem: answer.problem } : { state: 'loaded', value: answer.data };

/** An idempotency key, so that pressing the button twice submits once; renewed after each accepted submission. */
export function useSubmissionKey(): { key: string; renew: () => void } {
  const [key, setKey] = useState(uniqueKey);
  return { key, renew: useCallback(() => setKey(uniqueKey()), []) };
}

/** Like `send`, with a proof of work if the server demands one under abuse. `onWorking` is called when its computation starts. */
export const sendProven = <T>(request: ApiRequest<T>, onWorking?: () => void): Promise<ApiAnswer<T>> =>
  withChallenge((proof) => send({ ...request, headers: { ...request.headers, ...proof } }), onWorking);

interface Submission<Body> {
  key: string;
  body: Body;
}
interface SubmissionOptions<Body, Result> {
  /** Unique per form: the submission is stored under this name until the server answers. */
  name: string;
  request: (body: Body) => ApiRequest<Result>;
  /** Name of the request while it waits for the connection. */
  label: string;
  onWorking?: () => void;
  onAnswer: (answer: ApiAnswer<Result>) => void;
}

/**
 * Sends a form until the server answers. The submission and its key are stored for this tab, so that a reload during an outage continues it
 * and the server receives it once.
 */
export function useSubmission<Body, Result>(options: SubmissionOptions<Body, Result>): (body: Body, key: string) => void {
  const { name, onAnswer } = options;
  const first = useRef(options);
  useEffect(() => {
    receivers.set(name, onAnswer as (answer: ApiAnswer) => void);
  });
  useEffect(() => {
    const left = tabStorage.read<Submission<Body>>(storageKeyOf(name));
    if (left && !underWay.has(left.key)) void sendSubmission(first.current, left);
  }, [name]);
  return (body, key) => void sendSubmission(options, { body, key });
}

/** Response handlers by form: if a form is closed and opened again, it receives the response to its earlier submission. */
const receivers = new Map<string, (answer: ApiAnswer) => void>();
const underWay = new Set<string>();
const storageKeyOf = (name: string) => `sending:${name}`;

async function sendSubmission<Body, Result>(options: SubmissionOptions<Body, Result>, { key, body }: Submission<Body>): Promise<void> {
  const { name, label, onWorking } = options;
  if (underWay.has(key)) return;
  underWay.add(key);
  tabStorage.write(storageKeyOf(name), { key, body } satisfies Submission<Body>);
  const request = { ...options.request(body), headers: { 'idempotency-key': key }, resend: { label, isStored: true } };
  const answer = await resend(request, undefined, (attempt) => sendProven(attempt, onWorking));
  underWay.delete(key);
  tabStorage.remove(storageKeyOf(name));
  receivers.get(name)?.(answer);
}

/** After a final answer the key must change, because the same key with corrected input is refused. Without one it must stay the same. */
export const isDecided = (problem: ApiProblem): boolean => problem.status !== 0 && problem.status < 500;

const withEmail = (path: string, email: string): string => `${path}?email=${encodeURIComponent(email)}`;
/** Address of the customer's page of a ticket. */
export const statusPage = (id: string, email: string): string => withEmail(`/ticket-status/${encodeURIComponent(id)}`, email);
export const surveyPage = (id: string, email: string): string => withEmail(`/survey/${encodeURIComponent(id)}`, email);
