/** More than a year, so that the same month of last year can still be found. */
export const retentionDays = 400;
/** Retention of the operator log. Longer, because it also documents access to organizations that have since been deleted. */
export const operatorRetentionDays = 730;

/** Entries deleted per transaction: some tens of milliseconds. */
export const pruneBatch = 5_000;

/**
 * Ids contain the application's clock, `occurred_at` the database's, and the two may differ. Time filters assume that the difference is at
 * most this much, so that they can use the order of the ids.
 */
const clockSlackMs = 60 * 60 * 1000;

/** The lowest UUIDv7 of a millisecond. */
function lowestIdAt(ms: number): string {
  const hex = Math.min(Math.max(0, ms), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** No entry that occurred at `from` or later has a lower id. */
export const lowestIdFrom = (from: string): string => lowestIdAt(Date.parse(from) - clockSlackMs);
/** No entry that occurred before `to` has a higher id. */
export const highestIdBefore = (to: string): string => lowestIdAt(Date.parse(to) + clockSlackMs);

/** Clamps to 1970: no entry is older, and PostgreSQL rejects the year 0. */
export const clampTime = (iso: string): string => new Date(Math.max(0, Date.parse(iso))).toISOString();
