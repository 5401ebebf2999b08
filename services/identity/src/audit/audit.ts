/** Longer than a year, so that last year's same month can still be looked up. */
export const keptDays = 400;

/** Lines deleted in one transaction: some tens of milliseconds. */
export const pruneBatch = 5_000;

/**
 * Ids are made from the application's clock, `occurred_at` is the database's: an id may be off by the difference. Within this much
 * the two are taken to agree, and a filter by time may use the order of the ids.
 */
const clockSlackMs = 60 * 60 * 1000;

/** The lowest UUIDv7 of a millisecond. */
function lowestIdAt(ms: number): string {
  const hex = Math.min(Math.max(0, ms), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** No line that happened at `from` or later has a lower id. */
export const lowestIdFrom = (from: string): string => lowestIdAt(Date.parse(from) - clockSlackMs);
/** No line that happened before `to` has a higher id. */
export const highestIdBefore = (to: string): string => lowestIdAt(Date.parse(to) + clockSlackMs);

/** Nothing happened before 1970, and PostgreSQL knows no year 0. */
export const timeToAsk = (iso: string): string => new Date(Math.max(0, Date.parse(iso))).toISOString();
