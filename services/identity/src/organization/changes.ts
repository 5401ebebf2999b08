import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../schema';

/** What of `wanted` differs from what holds: the rest is not written, not announced and not noted in the log. */
export function changesOf<T extends object, K extends keyof T>(
  before: Pick<T, K>,
  wanted: { [Key in K]?: T[Key] | undefined },
): Partial<Pick<T, K>> {
  const changes: Partial<Pick<T, K>> = {};
  for (const key of Object.keys(wanted) as K[]) {
    if (wanted[key] !== undefined && !isDeepStrictEqual(wanted[key], before[key])) changes[key] = wanted[key];
  }
  return changes;
}

/** The same as the log shows it: before and after. */
export const fromTo = <T extends object>(before: T, changes: Partial<T>): Changes =>
  Object.fromEntries((Object.keys(changes) as (keyof T & string)[]).map((key) => [key, { from: before[key], to: changes[key] }]));
