import { english as t } from '../testing';
import { openingAt, openingText, timeText, weekTexts, zoneText, type Schedule } from './hours';

const office = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => ({ day, from: '09:00', to: '17:30' }));
const berlin: Schedule = { business_hours: office, time_zone: 'Europe/Berlin', holidays: [{ date: '2026-12-25', name: 'Christmas Day' }] };
const wordsAt = (schedule: Schedule, at: string) => {
  const opening = openingAt(schedule, Date.parse(at));
  return opening && Object.values(openingText(opening, t)).filter(Boolean).join(' · ');
};

describe('opening', () => {
  it.each([
    // Friday in Berlin, UTC+1.
    ['2026-11-20T07:59:00Z', 'Closed now · Opens today at 9:00 AM'],
    ['2026-11-20T08:00:00Z', 'Open now · Until 5:30 PM'],
    ['2026-11-20T16:29:59Z', 'Open now · Until 5:30 PM'],
    ['2026-11-20T16:30:00Z', 'Closed now · Opens Monday at 9:00 AM'],
    ['2026-11-22T12:00:00Z', 'Closed now · Opens tomorrow at 9:00 AM'],
    // Daylight saving time: UTC+2.
    ['2026-06-01T07:00:00Z', 'Open now · Until 5:30 PM'],
    ['2026-12-25T10:00:00Z', 'Closed today (Christmas Day) · Opens Monday at 9:00 AM'],
  ])('at %s in Berlin: %s', (at, words) => expect(wordsAt(berlin, at)).toBe(words));

  it('uses the organization’s time zone, not the reader’s', () => {
    expect(wordsAt({ ...berlin, time_zone: 'Pacific/Auckland' }, '2026-11-19T20:30:00Z')).toBe('Open now · Until 5:30 PM');
    expect(wordsAt({ ...berlin, time_zone: 'America/New_York' }, '2026-11-20T08:30:00Z')).toBe('Closed now · Opens today at 9:00 AM');
  });

  it('joins adjacent time ranges, even past midnight', () => {
    const spans = [
      { day: 'fri' as const, from: '09:00', to: '12:00' },
      { day: 'fri' as const, from: '12:00', to: '24:00' },
      { day: 'sat' as const, from: '00:00', to: '02:00' },
    ];
    expect(wordsAt({ ...berlin, business_hours: spans }, '2026-11-20T10:00:00Z')).toBe('Open now · Until 2:00 AM');
    expect(wordsAt({ ...berlin, business_hours: spans.slice(0, 2) }, '2026-11-20T10:00:00Z')).toBe('Open now · Until midnight');
  });

  it('has no end if open around the clock', () => {
    const always = (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((day) => ({ day, from: '00:00', to: '24:00' }));
    expect(wordsAt({ ...berlin, business_hours: always, holidays: [] }, '2026-11-20T10:00:00Z')).toBe('Open now');
  });

  it('shows the date of a day more than a week away', () => {
    const closed = ['2026-11-23', '2026-11-30'].map((date) => ({ date, name: 'Closed' }));
    const mondays = [{ day: 'mon' as const, from: '09:00', to: '10:00' }];
    expect(wordsAt({ ...berlin, business_hours: mondays, holidays: closed }, '2026-11-22T12:00:00Z')).toBe(
      'Closed now · Opens on Monday, Dec 7, at 9:00 AM',
    );
  });

  it('is unknown without business hours', () => expect(openingAt({ ...berlin, business_hours: null }, Date.now())).toBeUndefined());
});

it('groups days with the same hours', () => {
  const withSaturday = [
    ...office,
    { day: 'sat' as const, from: '13:00', to: '15:00' },
    { day: 'sat' as const, from: '10:00', to: '12:00' },
  ];
  expect(weekTexts(withSaturday, t).map(({ days, hours }) => [days, hours])).toEqual([
    ['Monday – Friday', '9:00 AM – 5:30 PM'],
    ['Saturday', '10:00 AM – 12:00 PM, 1:00 PM – 3:00 PM'],
    ['Sunday', 'Closed'],
  ]);
});

it('shows the time zone by city and offset', () => {
  expect(zoneText('America/New_York', Date.parse('2026-11-20T10:00:00Z'), t)).toBe('New York time (GMT-5)');
  expect(zoneText('UTC', 0, t)).toBe('UTC');
  expect(timeText('00:30', t)).toBe('12:30 AM');
});
