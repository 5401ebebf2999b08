import { signIn, type SignedIn } from '../local/sign-in.ts';

export { signIn, type SignedIn };

/** The headers that identify a user or an API token. */
export type Caller = Pick<SignedIn, 'headers'>;

/** The parts of a response that the checks use. */
export interface Answer<T> {
  status: number;
  etag: string | null;
  data: T;
  body: unknown;
}

/** One call that is not measured. */
export async function ask<T>(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer<T>> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  const body = (text ? JSON.parse(text) : undefined) as { data: T } | undefined;
  return { status: answer.status, etag: answer.headers.get('etag'), data: body?.data as T, body };
}

/** Calls the API of a system as a user or with an API token; throws if it is refused. */
export async function call<T>(
  { gatewayOrigin }: { gatewayOrigin: string },
  { headers }: Caller,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  const answer = await ask<T>(`${gatewayOrigin}/api/v1${path}`, { method, headers: sent, ...content });
  expect(`${method} ${path} succeeded`, answer.status < 300, true);
  return answer.data;
}

/** A new API token of a user's organization, which reads and writes tickets. Tokens may call more often than users. */
export async function tokenOf(system: { gatewayOrigin: string }, person: { email: string; password: string }): Promise<Caller> {
  const session = await signIn(system.gatewayOrigin, person);
  const { value } = await call<{ value: string }>(system, session, 'POST', '/api-tokens', { name: 'Bench' });
  return { headers: { authorization: `Bearer ${value}` } };
}

/** Throws if a response is wrong, because its timing would be meaningless. */
export function expect(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}
