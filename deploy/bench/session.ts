export { signIn, type SignedIn } from '../local/sign-in.ts';

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

/** Throws if a response is wrong, because its timing would be meaningless. */
export function expect(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) throw new Error(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}
