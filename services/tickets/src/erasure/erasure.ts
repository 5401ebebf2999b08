import { erasedKinds, serviceNames, type ErasedKind, type Erasure, type ErasureRemain } from '@tandem/contracts';
import type { StoredErasure } from './erasure.store';

export const erasurePurpose = 'erasure';
export type Answers = Erasure['answers'];
export type Counts = Partial<Record<ErasedKind, number>>;

export const noAnswers = Object.fromEntries(serviceNames.map((service) => [service, null])) as Answers;

export const erasureOf = (row: StoredErasure, email: string | null): Erasure => ({
  id: row.id,
  email,
  state: row.state,
  starts_at: row.starts_at,
  requested_by: row.requested_by,
  created_at: row.created_at,
  finished_at: row.finished_at,
  answers: { ...noAnswers, ...row.answers },
  remains: row.remains,
});

/** Adds counts, in the order of `erasedKinds`. */
export const addCounts = (one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    (Object.keys(erasedKinds) as ErasedKind[])
      .map((kind) => [kind, (one[kind] ?? 0) + (other[kind] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );

export const union = (one: readonly ErasureRemain[], other: readonly ErasureRemain[]): ErasureRemain[] =>
  [...new Set([...one, ...other])].sort();

export const hasEveryAnswer = (answers: Answers): boolean => serviceNames.every((service) => answers[service] != null);
