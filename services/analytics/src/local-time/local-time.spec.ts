import { Temporal } from 'temporal-polyfill';
import { addDays, daysOf, endOfDay, localTime, startOfDay, weekdayOf } from './local-time';

it.each([
  ['Pacific/Kiritimati', '2026-11-22T10:00:00.000Z', { day: '2026-11-23', hour: 0 }],
  ['Etc/GMT+12', '2026-11-22T11:59:00.000Z', { day: '2026-11-21', hour: 23 }],
  ['Asia/Kathmandu', '2026-11-22T18:14:00.000Z', { day: '2026-11-22', hour: 23 }],
  // The hour from 02:00 to 03:00 comes twice.
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', { day: '2026-10-25', hour: 2 }],
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', { day: '2026-10-25', hour: 2 }],
])('in %s, %s is %j', (zone, at, local) => expect(localTime(zone, at)).toEqual(local));

it('are those of the calendar in every zone, around changes of the clocks and where they had no round offset', () => {
  // Newfoundland changed its clocks at 00:01 until 2011; Liberia was 44 minutes and 30 seconds behind until 1972.
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Africa/Monrovia', 'Australia/Lord_Howe', 'Asia/Gaza', 'Asia/Kathmandu', 'UTC'];
  const changes = ['2026-03-29T01:00:00Z', '2006-10-29T02:31:00Z', '1972-01-07T00:44:30Z', '2026-10-03T15:30:00Z', '0001-01-02T00:00:00Z'];
  const around = [-86_400_000, -60_000, -1, 0, 1, 59_999, 60_000, 3_600_000, 90 * 86_400_000];
  for (const zone of zones) {
    for (const at of changes.flatMap((change) => around.map((ms) => new Date(Date.parse(change) + ms).toISOString()))) {
      const expected = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
      const local = { day: expected.toPlainDate().toString(), hour: expected.hour };
      expect({ zone, at, ...localTime(zone, at) }).toEqual({ zone, at, ...local });
    }
  }
});

it('days have 23 to 25 hours, and begin at 01:00 where midnight is skipped', () => {
  const hours = (zone: string, day: string) => (Date.parse(endOfDay(zone, day)) - Date.parse(startOfDay(zone, day))) / 3_600_000;
  expect(['2026-03-29', '2026-10-25', '2026-10-26'].map((day) => hours('Europe/Berlin', day))).toEqual([23, 25, 24]);
  expect(hours('Australia/Lord_Howe', '2026-10-04')).toBe(23.5);
  expect(startOfDay('America/Asuncion', '2023-10-01')).toBe('2023-10-01T04:00:00.000Z');
});

it('the first and the last day stay within years of four digits', () => {
  expect([addDays('0001-01-01', -1), startOfDay('Etc/GMT-14', '0001-01-01')]).toEqual(['0001-01-01', '0001-01-01T00:00:00.000Z']);
  expect(endOfDay('Etc/GMT+12', '9999-12-31')).toBe('9999-12-31T23:59:59.999Z');
});

it('ranges include both ends, and weeks begin on Monday', () => {
  expect(daysOf('2024-02-28', '2024-03-01')).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
  expect(['2026-11-22', '2026-11-23'].map(weekdayOf)).toEqual([6, 0]);
});
