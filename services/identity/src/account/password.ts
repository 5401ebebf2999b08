import { hash, verify } from '@node-rs/argon2';

/** OWASP's first recommendation for Argon2id: 19 MiB, two passes, one lane. Kept with each hash, so it may grow later. */
const cost = { algorithm: 2 /* Argon2id */, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };

/** The hash of nobody's password, of the same cost: what an unknown address is checked against. */
const decoy = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$dGFuZGVtIGRlY295IHNhbA$${'A'.repeat(43)}`;

/** Runs on the thread pool: the event loop stays free. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Does the same work whether or not there is a hash to compare with. */
export async function passwordMatches(password_hash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(password_hash ?? decoy, password);
  return matches && password_hash !== undefined;
}
