import { send, type ApiAnswer } from './http';

/** The proof that a browser is at work, as the gateway reads it. */
export const challengeHeader = 'X-Tandem-Challenge';

/**
 * Calls `sendIt`; where the server asks for a proof of work first (only under abuse), makes one and calls it again, once, with the headers
 * to send along. `onWorking` hears that it takes a moment. Whatever cannot be solved is answered with the refusal itself.
 *
 * `withChallenge((headers) => send({ path, method: 'POST', body, headers }), () => setWorking(true))`
 */
export async function withChallenge(
  sendIt: (headers?: Record<string, string>) => Promise<ApiAnswer>,
  onWorking?: () => void,
): Promise<ApiAnswer> {
  const refused = await sendIt();
  if (refused.problem?.code !== 'challenge.required') return refused;
  onWorking?.();
  const asked = await send({ path: '/public/challenge' });
  if (asked.problem) return asked;
  // Who is never asked never loads it.
  const { proofFor } = await import('./solve-challenge');
  const proof = await proofFor(asked.data as Parameters<typeof proofFor>[0]);
  return proof === undefined ? refused : sendIt({ [challengeHeader]: proof });
}
