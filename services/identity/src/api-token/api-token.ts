import type { ApiToken } from '@tandem/contracts';

const dayMs = 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

export const expiryOf = (days: number | null, now: number): string | null =>
  days === null ? null : new Date(now + days * dayMs).toISOString();

/** When the previous value of a rotated token stops being valid; null: immediately. */
export const overlapUntil = (hours: number, now: number): string | null =>
  hours === 0 ? null : new Date(now + hours * hourMs).toISOString();

/** Removes duplicates and keeps the order of the first occurrences. */
export const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The name of a member for display, or the address if the name is not set. */
export const creatorName = ({
  first_name,
  last_name,
  email,
}: {
  first_name: string | null;
  last_name: string | null;
  email: string;
}): string => [first_name, last_name].filter(Boolean).join(' ') || email;

/** The members of a token that its audit entry shows when it was created. */
export const auditedAtCreation = ({ permissions, networks, expires_at }: ApiToken) => ({
  permissions: { from: null, to: permissions },
  ...(networks.length > 0 && { networks: { from: null, to: networks } }),
  expires_at: { from: null, to: expires_at },
});
