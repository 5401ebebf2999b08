import { languages } from '@tandem/contracts';

/** Times that the schemas of records can express. Whether they are possible for a ticket is checked with the record. */
const inRange = (time: number): boolean => time >= Date.UTC(1, 0, 1) && time < Date.UTC(9_999, 11, 31);
const toIso = (time: number): string | null => (Number.isFinite(time) && inRange(time) ? new Date(time).toISOString() : null);

/** An ISO 8601 time with its offset, as vendors document it, or null. */
export function isoTime(value: unknown): string | null {
  return typeof value === 'string' ? parseTime(value, 'month_first') : null;
}

export type DateOrder = 'day_first' | 'month_first';

let months: ReadonlyMap<string, number> | undefined;
/** The number of a month, from 0, by its name in any language of the product; -1 if no month has this name. */
function monthNumber(name: string): number {
  // Not at the start of the process: the formats of all languages take 50 ms.
  months ??= monthNames();
  return months.get(plain(name)) ?? -1;
}
/** Without accents and dots. */
function monthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      for (let month = 0; month < 12; month++) names.set(plain(format.format(Date.UTC(2024, month, 15))), month);
    }
  }
  names.set('sept', 8);
  return names;
}
function plain(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replace(/\.$/, '');
}

const clock = String.raw`(?:[T ,]+(?:at |um |à )?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AaPp])\.?[Mm]\.?)?)?`;
const zone = String.raw`(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?`;
const yearFirst = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${clock}${zone}$`);
const yearLast = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4}|\d{2})${clock}${zone}$`);
const dayName = new RegExp(
  String.raw`^(?:\p{L}+\.?,? )?(\d{1,2})(?:st|nd|rd|th|\.)?[ /-](?:de )?(\p{L}+)\.?[ /,-]+(?:de )?(\d{4}|\d{2})${clock}${zone}$`,
  'u',
);
const nameDay = new RegExp(String.raw`^(?:\p{L}+\.?,? )?(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${clock}${zone}$`, 'u');
const maxLength = 60;

/** Days between 1899-12-30 and 1970-01-01: the base of dates in spreadsheets (ECMA-376, 18.17.4.1). */
const serialBase = 25_569;

/**
 * Reads a date of a spreadsheet: ISO 8601, numbers with slashes, dots or dashes, names of months, seconds or milliseconds since 1970, and
 * the serial dates of Excel. A time without a zone is in UTC. `order` decides about numbers with slashes or dashes only; dots are day first.
 */
export function parseTime(value: string, order: DateOrder): string | null {
  const text = value.trim();
  if (text === '' || text.length > maxLength) return null;
  if (/^\d+([.,]\d+)?$/.test(text)) return numberTime(Number(text.replace(',', '.')));
  const first = yearFirst.exec(text);
  if (first) return build(first[1]!, Number(first[2]) - 1, first[3]!, first.slice(4));
  const last = yearLast.exec(text);
  if (last) {
    const isDayFirst = last[2] === '.' || (Number(last[1]) > 12 ? true : Number(last[3]) > 12 ? false : order === 'day_first');
    const [day, month] = isDayFirst ? [last[1]!, last[3]!] : [last[3]!, last[1]!];
    return build(last[4]!, Number(month) - 1, day, last.slice(5));
  }
  const named = dayName.exec(text);
  if (named) return build(named[3]!, monthNumber(named[2]!), named[1]!, named.slice(4));
  const reversed = nameDay.exec(text);
  return reversed ? build(reversed[3]!, monthNumber(reversed[1]!), reversed[2]!, reversed.slice(4)) : null;
}

function numberTime(value: number): string | null {
  // Until 2128: larger numbers are no times.
  if (value >= 1e11 && value < 5e12) return toIso(value);
  if (value >= 1e8 && value < 5e9) return toIso(value * 1_000);
  return value >= serialBase && value < 80_000 ? toIso(Math.round((value - serialBase) * 86_400) * 1_000) : null;
}

function build(year: string, month: number, day: string, parts: (string | undefined)[]): string | null {
  const [hour = '0', minute = '0', second = '0', fraction = '', half, offset] = parts;
  const fullYear = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2_000 : 1_900) : Number(year);
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return null;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (month < 0 || month > 11 || hours > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(fullYear, month, Number(day));
  // A day that the month does not have.
  if (date.getUTCDate() !== Number(day) || date.getUTCMonth() !== month) return null;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return toIso(date.getTime() + ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1_000 + milliseconds - offsetMs(offset));
}

function offsetMs(offset: string | undefined): number {
  const parts = offset === undefined ? null : /^([+-])(\d{2}):?(\d{2})$/.exec(offset);
  if (!parts) return 0;
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) * 60_000;
}

/** Finds out whether a column has the day or the month first: a number above 12 is a day. */
export class DateOrderCount {
  private dayFirst = 0;
  private monthFirst = 0;
  private undecided = 0;

  add(value: string): void {
    const match = value.length > maxLength ? null : yearLast.exec(value.trim());
    if (!match || match[2] === '.') return;
    if (Number(match[1]) > 12) this.dayFirst++;
    else if (Number(match[3]) > 12) this.monthFirst++;
    else if (match[1] !== match[3]) this.undecided++;
  }

  get order(): DateOrder {
    return this.dayFirst > this.monthFirst ? 'day_first' : 'month_first';
  }

  /** Nothing proves the order, and it matters. */
  get isAmbiguous(): boolean {
    return this.undecided > 0 && this.dayFirst === this.monthFirst;
  }
}
