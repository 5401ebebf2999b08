import { readChallenge } from '@tandem/contracts/endpoints';
import { call } from './call';
import { send, type ApiAnswer } from './http';

/** The header in which the gateway expects the proof of work. */
export const challengeHeader = 'X-Tandem-Challenge';

/**
 * Calls `sendIt`. If the server demands a proof of work (only under abuse), computes one and calls `sendIt` once more, with the headers to
 * send. `onWorking` is called when the computation starts. If there is no solution, returns the refusal.
 *
 * `withChallenge((headers) => send({ ...request, headers }), () => setWorking(true))`
 */
export async function withChallenge<Result>(
  sendIt: (headers?: Record<string, string>) => Promise<ApiAnswer<Result>>,
  onWorking?: () => void,
): Promise<ApiAnswer<Result>> {
  const refused = await sendIt();
  if (refused.problem?.code !== 'challenge.required') return refused;
  onWorking?.();
  const asked = await send(call(readChallenge));
  if (asked.problem) return asked;
  // Loaded only when a challenge has to be solved.
  const { proofFor } = await import('./solve-challenge');
  const proof = await proofFor(asked.data);
  return proof === undefined ? refused : sendIt({ [challengeHeader]: proof });
}
