import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@tandem/contracts';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. Kept with each hash, so it may grow later. */
const cost = { algorithm: 2 /* Argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** The hash of nobody's password, of the same cost: what an unknown address is checked against. */
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$dGFuZGVtIGRlY295IHNhbA$${'A'.repeat(43)}`;

/** The thread pool has four threads: one stays free for everything else that needs it, names of hosts above all. */
const atOnce = 3;
/** A few seconds of work. Whoever came later would have left before their turn, and the work for them would be in everybody's way. */
const waitingAtMost = 125;
let running = 0;
const waiting: (() => void)[] = [];

/** Whether there is an account makes no difference: work for nobody waits, and is refused, like any other. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) running += 1;
  else if (waiting.length < waitingAtMost) await new Promise<void>((resolve) => waiting.push(resolve));
  else throw new AppError('service.unavailable', { retryAfterSeconds: 5 });
  try {
    return await work();
  } finally {
    // The place goes from hand to hand: nobody who comes at this moment is faster.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Runs on the thread pool: the event loop stays free. Throws `service.unavailable` while too many wait. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, cost));

/** Does the same work whether or not there is a hash to compare with. Throws `service.unavailable` while too many wait. */
export async function passwordMatches(password_hash: string | undefined, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(password_hash ?? decoy, password));
  return matches && password_hash !== undefined;
}
