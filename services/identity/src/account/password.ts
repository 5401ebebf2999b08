import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@tandem/contracts';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. Stored with each hash, so it can be raised later. */
const cost = { algorithm: 2 /* Argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** A hash that no password matches, with the same cost: unknown addresses are verified against it. */
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$dGFuZGVtIGRlY295IHNhbA$${'A'.repeat(43)}`;

/** The thread pool has four threads: leave one for other work, mainly DNS lookups. */
const atOnce = 3;
/** A few seconds of work. Clients with a longer wait would give up, and their work would only delay others. */
const waitingAtMost = 125;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs hashing work with limited concurrency. Work for unknown accounts queues and is rejected like any other, so that timing does not
 * reveal whether an account exists.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running += 1;
  else if (waiting.length < waitingAtMost) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw new AppError('service.unavailable', { retryAfterSeconds: 5 });
  try {
    return await work();
  } finally {
    // Pass the slot directly to the next one in the queue, so that a new call cannot take it first.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Runs on the thread pool, so the event loop is not blocked. Throws `service.unavailable` while the queue is full. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost));

/** Does the same work whether or not there is a hash to compare with. Throws `service.unavailable` while the queue is full. */
export async function passwordMatches(password_hash: string | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(password_hash ?? decoy, password));
  return matches && password_hash !== undefined;
}
