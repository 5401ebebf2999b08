import { dueAfterChange, lastDue, nextDue, reportedPeriod } from './report-schedule';

const inZone = (zone: string) => ({ figures: zone, sending: zone });

it.each([
  // Sunday; Monday before, at and after 08:00.
  ['weekly', 'Europe/Berlin', '2026-11-22T10:00:00.000Z', '2026-11-23T07:00:00.000Z'],
  ['weekly', 'Europe/Berlin', '2026-11-23T06:59:59.999Z', '2026-11-23T07:00:00.000Z'],
  ['weekly', 'Europe/Berlin', '2026-11-23T07:00:00.000Z', '2026-11-30T07:00:00.000Z'],
  // Over a clock change: 08:00 in summer is 06:00 in UTC.
  ['weekly', 'Europe/Berlin', '2026-03-23T07:00:00.000Z', '2026-03-30T06:00:00.000Z'],
  ['weekly', 'Europe/Berlin', '2026-10-19T06:00:00.000Z', '2026-10-26T07:00:00.000Z'],
  ['weekly', 'Pacific/Kiritimati', '2026-11-22T17:59:59.000Z', '2026-11-22T18:00:00.000Z'],
  ['weekly', 'Etc/GMT+12', '2026-11-23T08:00:00.000Z', '2026-11-23T20:00:00.000Z'],
  ['monthly', 'Asia/Kolkata', '2026-01-31T20:00:00.000Z', '2026-02-01T02:30:00.000Z'],
  ['monthly', 'Asia/Kolkata', '2026-12-01T02:30:00.000Z', '2027-01-01T02:30:00.000Z'],
] as const)('a %s report in %s is due after %s at %s', (frequency, zone, after, due) =>
  expect(nextDue(frequency, inZone(zone), after)).toBe(due),
);

it.each([
  // 08:00 on Monday in New York.
  ['weekly', 'America/New_York', '2026-11-23T13:00:00.000Z'],
  // In Auckland, Monday 08:00 is before the end of Sunday in Berlin.
  ['weekly', 'Pacific/Auckland', '2026-11-23T19:00:00.000Z'],
  ['weekly', 'Pacific/Kiritimati', '2026-11-23T18:00:00.000Z'],
  ['weekly', 'Etc/GMT+12', '2026-11-23T20:00:00.000Z'],
  ['monthly', 'Pacific/Auckland', '2026-12-01T19:00:00.000Z'],
] as const)('a %s report of Berlin is sent at 08:00 in %s, once its last day is over in Berlin: at %s', (frequency, sending, due) => {
  const zones = { figures: 'Europe/Berlin', sending };
  expect(nextDue(frequency, zones, '2026-11-21T12:00:00.000Z')).toBe(due);
  const last = frequency === 'weekly' ? '2026-11-22' : '2026-11-30';
  expect([nextDue(frequency, zones, due) > due, reportedPeriod(frequency, zones.figures, due).to]).toEqual([true, last]);
});

it.each([
  ['weekly', 'Australia/Sydney', 'America/New_York', '2026-11-23T13:00:00.000Z'],
  ['monthly', 'Asia/Tokyo', 'America/Los_Angeles', '2026-12-01T16:00:00.000Z'],
] as const)('a %s report of %s in %s is sent on the Monday or the first of the month there', (frequency, figures, sending, due) =>
  expect(nextDue(frequency, { figures, sending }, '2026-11-21T12:00:00.000Z')).toBe(due),
);

it('a change to the time zone does not send a week twice, nor leave one out', () => {
  const zones = { figures: 'Europe/Berlin', sending: 'America/New_York' };
  const [before, after] = ['2026-11-16T07:00:00.000Z', '2026-11-23T07:00:00.000Z'];
  expect(dueAfterChange('weekly', zones, '2026-11-23T09:00:00.000Z', after)).toBe('2026-11-30T13:00:00.000Z');
  for (const last of [null, before])
    expect(dueAfterChange('weekly', zones, '2026-11-23T06:00:00.000Z', last)).toBe('2026-11-23T13:00:00.000Z');
});

it('an outage over several due times leaves one report, for the last of them', () => {
  expect(lastDue('weekly', inZone('UTC'), '2026-11-02T08:00:00.000Z', '2026-11-25T00:00:00.000Z')).toBe('2026-11-23T08:00:00.000Z');
  expect(lastDue('weekly', inZone('UTC'), '2026-11-23T08:00:00.000Z', '2026-11-23T08:00:05.000Z')).toBe('2026-11-23T08:00:00.000Z');
});

it('reports the week from Monday to Sunday, or the month, before it', () => {
  expect(reportedPeriod('weekly', 'Europe/Berlin', '2026-11-23T07:00:00.000Z')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
  expect(reportedPeriod('monthly', 'Europe/Berlin', '2026-03-01T07:00:00.000Z')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
});
