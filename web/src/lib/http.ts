import type { Pagination } from '@tandem/contracts';
import type { ApiProblem } from './problem';
import { storage } from './storage';

export interface ApiRequest {
  /** Below `/api/v1`, with its parameters filled in. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
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
  const answer = known ?? problem(response.status, 'answer.unreadable', 'The server gave an answer that cannot be read');
  return { problem: retryAfter ? { ...answer, retry_after_seconds: retryAfter } : answer };
}

/** One call, once. Never throws but for `AbortError`; the envelope is taken off. */
export async function send(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  try {
    const response = await fetch(addressOf(request), {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      credentials: 'same-origin',
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(signal ? { signal } : {}),
    });
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { problem: problem(0, 'network.failed', 'Tandem cannot be reached. Check your connection and try again.') };
  }
}

// ---- the session's refresh ------------------------------------------------------------------------------------

const refreshedAtKey = 'session-refreshed-at';
let refreshing: Promise<boolean> | undefined;

async function refreshOnce(askedAt: number): Promise<boolean> {
  // While this tab waited for the lock another one may have done it: the cookies are everybody's.
  if (Number(storage.get(refreshedAtKey) ?? 0) >= askedAt) return true;
  const answer = await send({ path: '/auth/refresh', method: 'POST', body: {} });
  if (answer.problem) return false;
  storage.set(refreshedAtKey, String(Date.now()));
  return true;
}

/** Renews the access token. Calls that fail together, in all tabs, share one refresh: a refresh token used twice ends the session. False: sign in again. */
export function refreshSession(): Promise<boolean> {
  const askedAt = Date.now();
  refreshing ??= (
    'locks' in navigator ? navigator.locks.request('tandem-session-refresh', () => refreshOnce(askedAt)) : refreshOnce(askedAt)
  ).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** Sign-in, sign-up and the like answer 401 for themselves: there is no session to refresh. */
const signsIn = (path: string) => path.startsWith('/auth/') && path !== '/auth/session' && path !== '/auth/sign-out';

/** As `send`, and when the access token has run out: one shared refresh, then the call again. */
export async function sendSignedIn(request: ApiRequest, signal?: AbortSignal): Promise<ApiAnswer> {
  const answer = await send(request, signal);
  if (answer.problem?.status !== 401 || signsIn(request.path) || !mayHaveSession()) return answer;
  return (await refreshSession()) ? send(request, signal) : answer;
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
