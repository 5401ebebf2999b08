import type { Pagination, Session } from '@tandem/contracts';
import { idleSeconds } from './activity';
import { waitForLimit } from './limit-wait';
import type { ApiProblem } from './problem';
import { storage } from './storage';

export interface Resend {
  /** Names it in the list of what has not been sent yet. */
  label: string;
  /** The page stores it and sends it again after a reload; otherwise the browser asks before the page is left. */
  isStored?: boolean;
}
export interface ApiRequest {
  /** Below `/api/v1`, with its parameters filled in. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Goes on after the page has been left. */
  keepalive?: boolean;
  /** Sent again while the server cannot be reached (`resend.ts`). */
  resend?: Resend;
  /** Not worth waiting for when the rate limit refuses it. */
  isOptional?: boolean;
}
export type ApiAnswer = { data: unknown; pagination?: Pagination; problem?: undefined } | { problem: ApiProblem; data?: undefined };

const base = '/api/v1';

/** The CSRF token: a readable cookie beside the session's HttpOnly ones, sent back as a header with every unsafe method. */
const csrfToken = (): string | undefined => /(?:^|;\s*)(?:__Host-)?tandem_csrf=([^;]+)/.exec(document.cookie)?.[1];

/** Whether this browser may hold a session: without it nobody needs to be asked. */
export const mayHaveSession = (): boolean => csrfToken() !== undefined;

function addressOf(request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query ?? {})) if (value !== undefined && value !== '') query.set(name, String(value));
  const search = query.toString();
  return `${base}${request.path}${search ? `?${search}` : ''}`;
}

function headersOf(request: ApiRequest): Headers {
  const headers = new Headers({ accept: 'application/json', ...request.headers });
  if (request.body !== undefined) headers.set('content-type', 'application/json');
  const token = csrfToken();
  if (token && request.method && request.method !== 'GET') headers.set('x-csrf-token', decodeURIComponent(token));
  return headers;
}

const problem = (status: number, code: ApiProblem['code'], title: string): ApiProblem => ({
  success: false,
  type: 'about:blank',
  title,
  status,
  code,
  request_id: '',
});

async function readAnswer(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    body = undefined;
  }
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  if (response.ok && typeof body === 'object' && body !== null) {
    const { data, meta } = body as { data?: unknown; meta?: { pagination?: Pagination } };
    return { data: data ?? null, ...(meta?.pagination ? { pagination: meta.pagination } : {}) };
  }
  const known = typeof body === 'object' && body !== null && 'code' in body ? (body as ApiProblem) : undefined;
  // A proxy's error page, mostly: what stands there is not for the person.
  const title =
    response.status >= 500 ? 'Tandem is not available right now. Please try again.' : 'The server gave an answer that cannot be read';
  const answer = known ?? problem(response.status, 'answer.unreadable', title);
  return { problem: retryAfter ? { ...answer, retry_after_seconds: retryAfter } : answer };
}

/** Deadlines come in the server's time, and the clock of this computer may be wrong: this much is it behind (ms). */
let clockBehindMs = 0;
export const toLocalTime = (iso: string): number => Date.parse(iso) - clockBehindMs;

function readClock(request: ApiRequest, response: Response): void {
  const at = request.path.startsWith('/auth/') ? Date.parse(response.headers.get('date') ?? '') : NaN;
  if (Number.isNaN(at)) return;
  // Whole seconds, and some on the way: less than that is no difference.
  const behind = at - Date.now();
  clockBehindMs = Math.abs(behind) < 5_000 ? 0 : behind;
}

/** One call, once. Never throws but for `AbortError`; the envelope is taken off. */
export async function send(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  try {
    const response = await fetch(addressOf(request), {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      credentials: 'same-origin',
      ...(request.keepalive ? { keepalive: true } : {}),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(signal ? { signal } : {}),
    });
    readClock(request, response);
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { problem: problem(0, 'network.failed', 'Tandem cannot be reached. Check your connection and try again.') };
  }
}

// ---- the session's refresh ------------------------------------------------------------------------------------

const refreshedAtKey = 'session-refreshed-at';
let refreshing: Promise<ApiAnswer> | undefined;

type RefreshListener = (answer: { session: Session } | { problem: ApiProblem }) => void;
const listeners = new Set<RefreshListener>();

/** Hears of every refresh of this tab: the session with its new deadlines, or why there is none. */
export function onRefresh(listener: RefreshListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** There is no session, or none any more. Other refusals with 401 (a wrong code) are about what was sent. */
export const isSessionOver = (problem: ApiProblem | undefined): boolean =>
  problem?.status === 401 && (problem.code === 'session.required' || problem.code === 'session.expired');

async function refreshOnce(askedAt: number): Promise<ApiAnswer> {
  // While this tab waited for the lock another one may have done it: the cookies are everybody's.
  if (Number(storage.get(refreshedAtKey) ?? 0) >= askedAt) return { data: null };
  const answer = await send({ path: '/auth/refresh', method: 'POST', body: { idle_seconds: idleSeconds() } });
  if (!answer.problem) storage.set(refreshedAtKey, String(Date.now()));
  for (const listener of listeners) {
    if (answer.problem) listener({ problem: answer.problem });
    else if (answer.data) listener({ session: answer.data as Session });
  }
  return answer;
}

/**
 * Renews the access token and tells the server how long the person has been idle. Calls that fail together, in all tabs, share one
 * refresh: a refresh token used twice ends the session.
 */
export function refreshSession(): Promise<ApiAnswer> {
  const askedAt = Date.now();
  refreshing ??= (
    'locks' in navigator ? navigator.locks.request('tandem-session-refresh', () => refreshOnce(askedAt)) : refreshOnce(askedAt)
  ).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** The longest wait for the general limit: its window. Other limits last longer, and their forms say until when. */
const maxWaitSeconds = 60;
/** Sign-in and the like say themselves how long to wait; a customer's form shows the time at which it can be sent. */
const namesItsLimit = ({ path }: ApiRequest) => ['/auth/', '/me/', '/public/'].some((start) => path.startsWith(start));

/** How long to wait before the request is repeated: a request that the limit refuses has had no effect, so that writes are repeated as well. */
function waitSecondsOf(request: ApiRequest, problem: ApiProblem | undefined): number | undefined {
  const seconds = problem?.code === 'limit.exceeded' ? problem.retry_after_seconds : undefined;
  if (seconds === undefined || seconds > maxWaitSeconds) return undefined;
  return request.keepalive || request.isOptional || namesItsLimit(request) ? undefined : seconds;
}

/** As `send`, for pages of signed-in people: renews the session when the access token has run out, and repeats what the rate limit refused. */
export async function sendSignedIn(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  for (;;) {
    const answer = await sendWithSession(request, signal);
    const seconds = waitSecondsOf(request, answer.problem);
    if (seconds === undefined) return answer;
    await waitForLimit(seconds, signal);
  }
}

/** As `send`, and when the access token has run out: one shared refresh, then the call again. */
async function sendWithSession(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  const answer = await send(request, signal);
  if (!isSessionOver(answer.problem) || !mayHaveSession()) return answer;
  const refreshed = await refreshSession();
  if (!refreshed.problem) return send(request, signal);
  // A refresh that was not answered says nothing about the session: nobody is signed out by a lost connection.
  return refreshed.problem.status === 401 ? answer : refreshed;
}

/** Spec part 1, section 7: nothing is repeated on 4xx; otherwise twice, after 1 s doubling, at most 30 s. */
export const retryRule = { retries: 2, firstDelayMs: 1_000, maxDelayMs: 30_000 };

const isFinal = (problem: ApiProblem) => problem.status >= 400 && problem.status < 500;

/** Reads: as `sendSignedIn`, with the retry rule. Writes are never repeated by themselves. */
export async function read(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await sendSignedIn(request, signal);
    if (!answer.problem || isFinal(answer.problem) || attempt >= retryRule.retries) return answer;
    await new Promise((resolve) => setTimeout(resolve, Math.min(retryRule.firstDelayMs * 2 ** attempt, retryRule.maxDelayMs)));
    signal?.throwIfAborted();
  }
}
