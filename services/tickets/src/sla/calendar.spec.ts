import { weekdays, type Organization } from '@tandem/contracts';
import { addWorkingTime, calendarOf, nextWorkingTime, workingTimeBetween } from './calendar';

const hour = 3_600_000;
const day = 24 * hour;
type Hours = NonNullable<Organization['business_hours']>;
const everyDay = (from: string, to: string): Hours => weekdays.map((weekday) => ({ day: weekday, from, to }));
const office: Hours = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((weekday) => ({ day: weekday, from: '09:00', to: '17:30' }));
const calendar = (time_zone: string, business_hours: Hours | null, ...dates: string[]) =>
  calendarOf({ time_zone, business_hours, holidays: dates.map((date) => ({ date, name: 'A holiday' })) });
const ms = (iso: string) => Date.parse(iso);
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

describe('working time', () => {
  it('is all time without business hours', () => {
    expect(calendar('Europe/Berlin', null)).toBeNull();
    expect(workingTimeBetween(null, 5, 7)).toBe(2);
    expect(addWorkingTime(null, 5, 2)).toBe(7);
    expect(nextWorkingTime(null, 5)).toBe(5);
  });

  it('excludes nights, weekends and holidays', () => {
    const berlin = calendar('Europe/Berlin', office, '2026-12-25');
    // From Thursday 16:30 to Monday, because Friday is Christmas Day.
    expect(iso(addWorkingTime(berlin, ms('2026-12-24T15:30:00Z'), 2 * hour))).toBe('2026-12-28T09:00:00.000Z');
    expect(workingTimeBetween(berlin, ms('2026-12-24T15:30:00Z'), ms('2026-12-28T09:00:00Z'))).toBe(2 * hour);
    // If it starts at night, time counts from the morning.
    expect(iso(addWorkingTime(berlin, ms('2026-11-18T02:00:00Z'), hour))).toBe('2026-11-18T09:00:00.000Z');
  });

  it('ends at the end of a working day rather than at the start of the next', () => {
    expect(iso(addWorkingTime(calendar('UTC', office), ms('2026-11-18T16:30:00Z'), hour))).toBe('2026-11-18T17:30:00.000Z');
  });

  it('is negative backwards', () => {
    expect(workingTimeBetween(calendar('UTC', office), ms('2026-11-18T12:00:00Z'), ms('2026-11-18T10:00:00Z'))).toBe(-2 * hour);
  });

  it('supports several spans per day in any order', () => {
    const split = calendar('UTC', [
      { day: 'wed', from: '14:00', to: '18:00' },
      { day: 'wed', from: '08:00', to: '12:00' },
    ]);
    expect(iso(addWorkingTime(split, ms('2026-11-18T11:00:00Z'), 2 * hour))).toBe('2026-11-18T15:00:00.000Z');
  });

  it('returns the next working time', () => {
    const berlin = calendar('Europe/Berlin', office);
    expect(iso(nextWorkingTime(berlin, ms('2026-11-20T17:00:00Z')))).toBe('2026-11-23T08:00:00.000Z');
    expect(iso(nextWorkingTime(berlin, ms('2026-11-20T12:00:00Z')))).toBe('2026-11-20T12:00:00.000Z');
    expect(iso(nextWorkingTime(berlin, ms('2026-11-20T16:30:00Z')))).toBe('2026-11-23T08:00:00.000Z');
  });
});

describe('daylight saving time', () => {
  const between = (zone: string, hours: Hours, from: string, to: string) => workingTimeBetween(calendar(zone, hours), ms(from), ms(to));
  /** Berlin, 29 March 2026: 02:00 becomes 03:00. */
  const spring = ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'] as const;
  /** Berlin, 25 October 2026: 03:00 becomes 02:00. */
  const autumn = ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'] as const;

  it.each([
    ['the whole day', '00:00', '24:00', 23, 25],
    ['the missing and the doubled hour', '02:00', '03:00', 0, 2],
    ['half of it', '02:30', '03:00', 0, 1],
    ['into it', '01:00', '02:30', 1, 2],
    ['out of it', '02:30', '04:00', 1, 2],
    ['across it', '01:00', '04:00', 2, 4],
    ['beside it', '09:00', '17:30', 8.5, 8.5],
  ])('counts by wall-clock time: %s', (_, from, to, inSpring, inAutumn) => {
    expect(between('Europe/Berlin', everyDay(from, to), ...spring)).toBe(inSpring * hour);
    expect(between('Europe/Berlin', everyDay(from, to), ...autumn)).toBe(inAutumn * hour);
  });

  it('skips the hour that does not exist', () => {
    const night = calendar('Europe/Berlin', everyDay('02:00', '03:00'));
    expect(iso(addWorkingTime(night, ms(spring[0]), hour))).toBe('2026-03-30T01:00:00.000Z');
    expect(iso(addWorkingTime(night, ms(autumn[0]), 1.5 * hour))).toBe('2026-10-25T01:30:00.000Z');
  });

  it('supports the half-hour change of Lord Howe', () => {
    // 5 April 2026: 02:00 becomes 01:30; 4 October 2026: 02:00 becomes 02:30.
    expect(between('Australia/Lord_Howe', everyDay('00:00', '24:00'), '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z')).toBe(24.5 * hour);
    expect(between('Australia/Lord_Howe', everyDay('01:30', '02:00'), '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z')).toBe(hour);
    expect(between('Australia/Lord_Howe', everyDay('02:00', '02:30'), '2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z')).toBe(0);
  });

  it('supports offsets with half and quarter hours', () => {
    expect(iso(nextWorkingTime(calendar('Asia/Kolkata', office), ms('2026-11-18T00:00:00Z')))).toBe('2026-11-18T03:30:00.000Z');
    expect(iso(nextWorkingTime(calendar('Asia/Kathmandu', office), ms('2026-11-18T00:00:00Z')))).toBe('2026-11-18T03:15:00.000Z');
  });

  it('excludes all 23 or 25 hours of a holiday on the day of a change', () => {
    const hours = everyDay('00:00', '24:00');
    for (const [date, [from, to]] of [
      ['2026-03-29', spring],
      ['2026-10-25', autumn],
    ] as const) {
      const off = calendar('Europe/Berlin', hours, date);
      expect(workingTimeBetween(off, ms(from), ms(to))).toBe(0);
      expect(nextWorkingTime(off, ms(from))).toBe(ms(to));
    }
  });

  it('handles a day that a zone has skipped', () => {
    // Samoa had no 30 December 2011.
    expect(between('Pacific/Apia', everyDay('09:00', '17:00'), '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z')).toBe(16 * hour);
  });
});

describe('the limit of five years', () => {
  it('returns null without enough working time in five years', () => {
    const short = calendar('Europe/Berlin', [{ day: 'mon', from: '09:00', to: '09:01' }]);
    expect(addWorkingTime(short, ms('2026-11-18T00:00:00Z'), 8760 * hour)).toBeNull();
    expect(addWorkingTime(short, ms('2026-11-18T00:00:00Z'), hour)).not.toBeNull();
  });

  it('continues after a year of holidays', () => {
    const from = ms('2026-01-01T00:00:00Z');
    const dates = Array.from({ length: 365 }, (_, index) => new Date(from + index * day).toISOString().slice(0, 10));
    const off = calendar('UTC', everyDay('00:00', '24:00'), ...dates, dates[0]!);
    expect(iso(addWorkingTime(off, from, hour))).toBe('2027-01-01T01:00:00.000Z');
    expect(workingTimeBetween(off, from, ms('2027-01-01T00:00:00Z'))).toBe(0);
  });
});

describe('random calendars', () => {
  /** A deterministic random number generator. */
  function* numbers(seed: number) {
    for (let state = seed; ;) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      yield state / 2 ** 32;
    }
  }
  const random = numbers(42);
  const below = (limit: number) => Math.floor(random.next().value! * limit);
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'America/Sao_Paulo',
    'UTC',
  ];
  const time = (quarter: number) => `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
  function aCalendar() {
    const spans = weekdays.flatMap((weekday) => {
      const cuts = [...new Set([below(97), below(97), below(97), below(97)])].sort((a, b) => a - b);
      const pairs = cuts.length === 4 ? [cuts.slice(0, 2), cuts.slice(2)] : cuts.length >= 2 ? [cuts.slice(0, 2)] : [];
      return below(4) === 0 ? [] : pairs.map(([from, to]) => ({ day: weekday, from: time(from!), to: time(to!) }));
    });
    const holidays = Array.from({ length: below(30) }, () => new Date(ms('2026-01-01') + below(730) * day).toISOString().slice(0, 10));
    return calendar(zones[below(zones.length)]!, spans.length > 0 ? spans : office, ...holidays);
  }

  it('measure the time that was added, in one step or in several', () => {
    for (let round = 0; round < 2_000; round += 1) {
      const chosen = aCalendar();
      const from = ms('2026-01-01T00:00:00Z') + below(365 * day);
      const duration = below(400 * hour);
      const due = addWorkingTime(chosen, from, duration)!;
      expect(workingTimeBetween(chosen, from, due)).toBe(duration);
      const part = below(duration + 1);
      const halfway = addWorkingTime(chosen, from, part)!;
      expect(addWorkingTime(chosen, halfway, duration - part)).toBe(due);
      expect(workingTimeBetween(chosen, from, halfway) + workingTimeBetween(chosen, halfway, due)).toBe(duration);
    }
  });

  it('add a year of working time in a number of steps that does not depend on days and holidays', () => {
    const chosen = calendar('Europe/Berlin', everyDay('00:00', '24:00'), '2026-12-25', '2027-01-01');
    let looks = 0;
    const counted = { ...chosen!, workedUntil: (wall: number) => ((looks += 1), chosen!.workedUntil(wall)) };
    addWorkingTime(counted, ms('2026-11-18T00:00:00Z'), 8760 * hour);
    expect(looks).toBeLessThan(100);
  });
});
