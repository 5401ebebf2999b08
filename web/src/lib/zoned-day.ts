const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(timeZone, format);
  return format;
}

/** The local clock in the zone at this instant, as if it were UTC. */
function localClock(instant: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The day in the zone at this instant, as `2026-11-21`. */
export const zonedDay = (iso: string, timeZone: string): string =>
  new Date(localClock(Date.parse(iso), timeZone)).toISOString().slice(0, 10);

/** Whether a day starts in the zone at this instant. */
export const isStartOfDay = (iso: string, timeZone: string): boolean => startOfDay(zonedDay(iso, timeZone), timeZone) === iso;

/** The calendar day that is `by` days later, or earlier if negative. */
export const addDays = (day: string, by: number): string => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);

/**
 * The instant at which a day starts in the zone. On a day that has no midnight, because the clocks change then, the first instant of the
 * day; on a day that has two, the first.
 */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(day);
  const offsetAt = (instant: number) => localClock(instant, timeZone) - instant;
  // The offset a day earlier is the one before a change of the clocks at midnight.
  const before = midnight - offsetAt(midnight - 86_400_000);
  const after = midnight - offsetAt(before);
  const start = localClock(Math.min(before, after), timeZone) >= midnight ? Math.min(before, after) : Math.max(before, after);
  return new Date(start).toISOString();
}
