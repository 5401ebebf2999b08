import { addWaiting, onWake, removeWaiting } from './connection';
import { sendSignedIn, type ApiAnswer, type ApiRequest } from './http';
import { onSignOut } from './session-cleanup';
import type { ApiProblem } from './problem';
import { t } from './staff-texts';
import { uniqueKey } from './unique';

const delaysMs = [1_000, 2_000, 5_000, 10_000];
const unreachable = new Set([0, 502, 503, 504]);
/** No response, or only that the first attempt is still being processed. */
export const isUnanswered = ({ status, code }: ApiProblem) => unreachable.has(status) || code === 'idempotency.running';

const withdrawn: ApiProblem = {
  success: false,
  type: 'about:blank',
  title: t('lib.not_sent'),
  status: 0,
  code: 'request.withdrawn',
  request_id: '',
};
const withdrawals = new Set<() => void>();
// Another user must not send what this user has written.
onSignOut({ drop: () => withdrawals.forEach((withdraw) => withdraw()) });

/** Jitter: after a gateway restart, clients must not all reconnect at the same moment. */
const delayMs = (attempt: number) => (delaysMs[attempt] ?? delaysMs.at(-1)!) * (0.8 + Math.random() * 0.4);

/** Resolves when the next attempt is due or the connection is back. */
function pause(attempt: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      forget();
      stop.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs(attempt));
    const forget = onWake(done);
    stop.addEventListener('abort', done);
  });
}

/** The first attempts that have not ended, by path. */
const turns = new Map<string, Promise<unknown>>();

/** Requests to one path reach the server in the order in which they were made: an undo, and what the user does after it. */
function inTurn<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const turn = turns.get(path)?.then(work, work) ?? work();
  turns.set(path, turn);
  return turn.finally(() => turns.get(path) === turn && turns.delete(path));
}

type Attempt<Result> = (request: ApiRequest<Result>, signal?: AbortSignal) => Promise<ApiAnswer<Result>>;

/**
 * Sends a write until the server answers it, through any outage: a browser without a network, or a gateway that refuses connections or
 * answers 502 or 503. Every attempt has the same idempotency key, so a write whose response was lost is not applied twice. Until then the
 * request is listed as waiting, and the user can withdraw it.
 */
export async function resend<Result>(
  request: ApiRequest<Result>,
  signal?: AbortSignal,
  attempt: Attempt<Result> = sendSignedIn,
): Promise<ApiAnswer<Result>> {
  const key = request.headers?.['idempotency-key'] ?? uniqueKey();
  const keyed = { ...request, headers: { ...request.headers, 'idempotency-key': key } };
  const stop = new AbortController();
  const withdraw = () => stop.abort();
  withdrawals.add(withdraw);
  try {
    for (let count = 0; ; count += 1) {
      const send = () => attempt(keyed, signal);
      const answer = await (count > 0 || request.keepalive ? send() : inTurn(request.path, send));
      if (!answer.problem || !isUnanswered(answer.problem) || request.keepalive) return answer;
      if (stop.signal.aborted) return { problem: withdrawn };
      addWaiting({ key, label: request.resend?.label ?? '', isStored: request.resend?.isStored === true, withdraw });
      await pause(count, stop.signal);
      if (stop.signal.aborted) return { problem: withdrawn };
    }
  } finally {
    withdrawals.delete(withdraw);
    removeWaiting(key);
  }
}
