import type { Pagination, Session } from '@tandem/contracts';
import { refreshSession as refreshSessionTokens } from '@tandem/contracts/endpoints';
import { idleSeconds } from './activity';
import type { ApiAnswer, ApiRequest } from './api-request';
import { urlOf } from './api-url';
import { call } from './call';
import { dropEarlyReads, takeEarlyRead } from './early-reads';
import { waitForLimit } from './limit-wait';
import { localized, type ApiProblem } from './problem';
import { csrfToken, mayHaveSession } from './session-cookie';
import { t } from './staff-texts';
import { storage } from './storage';

export type { ApiAnswer, ApiRequest };

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

async function readAnswer<Result>(response: Response): Promise<ApiAnswer<Result>> {
  const text = await response.text();
  let body: unknown;
  try {
    body = text === '' ? {} : JSON.parse(text);
  } catch {
    body = undefined;
  }
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  if (response.ok && typeof body === 'object' && body !== null) {
    const { data, meta } = body as { data: Result; meta?: { pagination?: Pagination } };
    return { data: data ?? (null as Result), ...(meta?.pagination ? { pagination: meta.pagination } : {}) };
  }
  const known = typeof body === 'object' && body !== null && 'code' in body ? (body as ApiProblem) : undefined;
  // Usually a proxy's error page: its text is not meant for users.
  const title = response.status >= 500 ? t('lib.tandem_isnt_available') : t('lib.response_is_unreadable');
  const answer = known ?? problem(response.status, 'answer.unreadable', title);
  return { problem: localized(retryAfter ? { ...answer, retry_after_seconds: retryAfter } : answer) };
}

/** How far this computer's clock is behind the server's (ms), because deadlines come in the server's time. */
let clockBehindMs = 0;
export const toLocalTime = (iso: string): number => Date.parse(iso) - clockBehindMs;

function readClock(request: ApiRequest, response: Response): void {
  const at = request.path.startsWith('/auth/') ? Date.parse(response.headers.get('date') ?? '') : NaN;
  if (Number.isNaN(at)) return;
  // The header has whole seconds, and the response took some time: ignore smaller differences.
  const behind = at - Date.now();
  clockBehindMs = Math.abs(behind) < 5_000 ? 0 : behind;
}

/** Sends one request, without retries. Throws only `AbortError`; returns the content of the response envelope. */
export async function send<Result>(request: ApiRequest<Result>, signal?: AbortSignal): Promise<ApiAnswer<Result>> {
  const url = urlOf(request);
  const method = request.method ?? 'GET';
  try {
    const early = method === 'GET' ? takeEarlyRead(url) : undefined;
    const response = await (early ??
      fetch(url, {
        method,
        headers: headersOf(request),
        credentials: 'same-origin',
        ...(request.keepalive ? { keepalive: true } : {}),
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        ...(signal ? { signal } : {}),
      }));
    if (early && signal?.aborted) throw new DOMException('The request was aborted', 'AbortError');
    readClock(request, response);
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { problem: localized(problem(0, 'network.failed', t('lib.couldnt_reach_tandem'))) };
  }
}

// ---- session refresh -------------------------------------------------------------------------------------------

const refreshedAtKey = 'session-refreshed-at';
let refreshing: Promise<ApiAnswer> | undefined;

type RefreshListener = (answer: { session: Session } | { problem: ApiProblem }) => void;
const listeners = new Set<RefreshListener>();

/** Calls `listener` after every refresh of this tab, with the session and its new deadlines, or with the problem. */
export function onRefresh(listener: RefreshListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** There is no session, or it has ended. Other 401 responses (a wrong code) are about the request's content. */
export const isSessionOver = (problem: ApiProblem | undefined): boolean =>
  problem?.status === 401 && (problem.code === 'session.required' || problem.code === 'session.expired');

async function refreshOnce(askedAt: number): Promise<ApiAnswer> {
  // Another tab may have refreshed while this one waited for the lock; tabs share the cookies.
  if (Number(storage.get(refreshedAtKey) ?? 0) >= askedAt) return { data: null };
  dropEarlyReads();
  const answer = await send(call(refreshSessionTokens, { body: { idle_seconds: idleSeconds() } }));
  if (!answer.problem) storage.set(refreshedAtKey, String(Date.now()));
  for (const listener of listeners) {
    if (answer.problem) listener({ problem: answer.problem });
    else if (answer.data) listener({ session: answer.data });
  }
  return answer;
}

/**
 * Renews the access token and sends the user's idle time to the server. Requests that fail at the same time, in all tabs, share one
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

/** Longest automatic wait: the window of the general rate limit. Other limits last longer, and their forms show the time. */
const maxWaitSeconds = 60;
/** Sign-in and account forms show the wait themselves; customer forms show the time at which they can be sent. */
const namesItsLimit = ({ path }: ApiRequest) => ['/auth/', '/me/', '/public/'].some((start) => path.startsWith(start));

/** Seconds to wait before repeating a request, reads and writes alike: a request that the rate limit refused has had no effect. */
function waitSecondsOf(request: ApiRequest, problem: ApiProblem | undefined): number | undefined {
  const seconds = problem?.code === 'limit.exceeded' ? problem.retry_after_seconds : undefined;
  if (seconds === undefined || seconds > maxWaitSeconds) return undefined;
  return request.keepalive || request.isOptional || namesItsLimit(request) ? undefined : seconds;
}

/** Like `send`, for signed-in users: refreshes an expired access token and repeats requests that the rate limit refused. */
export async function sendSignedIn<Result>(request: ApiRequest<Result>, signal?: AbortSignal): Promise<ApiAnswer<Result>> {
  for (;;) {
    const answer = await sendWithSession(request, signal);
    const seconds = waitSecondsOf(request, answer.problem);
    if (seconds === undefined) return answer;
    await waitForLimit(seconds, signal);
  }
}

/** Like `send`. If the access token has expired, does one shared refresh and sends the request again. */
async function sendWithSession<Result>(request: ApiRequest<Result>, signal?: AbortSignal): Promise<ApiAnswer<Result>> {
  const answer = await send(request, signal);
  if (!isSessionOver(answer.problem) || !mayHaveSession()) return answer;
  const refreshed = await refreshSession();
  if (!refreshed.problem) return send(request, signal);
  // A refresh that failed on the network does not mean that the session has ended: do not sign the user out.
  return refreshed.problem.status === 401 ? answer : refreshed;
}

/** A 4xx response is never retried; other failures twice, after 1 s and then doubling, with at most 30 s between attempts. */
export const retryRule = { retries: 2, firstDelayMs: 1_000, maxDelayMs: 30_000 };

const isFinal = (problem: ApiProblem) => problem.status >= 400 && problem.status < 500;

/** Reads: `sendSignedIn` with the retry rule. Writes are never retried automatically. */
export async function read<Result>(request: ApiRequest<Result>, signal?: AbortSignal): Promise<ApiAnswer<Result>> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await sendSignedIn(request, signal);
    if (!answer.problem || isFinal(answer.problem) || attempt >= retryRule.retries) return answer;
    await new Promise((resolve) => setTimeout(resolve, Math.min(retryRule.firstDelayMs * 2 ** attempt, retryRule.maxDelayMs)));
    signal?.throwIfAborted();
  }
}
