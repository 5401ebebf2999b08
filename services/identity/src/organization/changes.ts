import { isDeepStrictEqual } from 'node:util';
import type { Changes } from '../schema';

/** The values of `wanted` that differ from `before`; only these are written, announced and logged. */
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

/** The changes in the log's format: before and after. */
export const fromTo = <T extends object>(before: T, changes: Partial<T>): Changes =>
  Object.fromEntries((Object.keys(changes) as (keyof T & string)[]).map((key) => [key, { from: before[key], to: changes[key] }]));
