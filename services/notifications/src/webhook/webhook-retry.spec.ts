import { webhookRules } from '@tandem/contracts/values';
import { nextDelayMs, retryAfterMs } from './webhook-retry';

const now = Date.parse('2026-11-20T10:00:00.000Z');

it.each([
  ['120', 120_000],
  ['120.6', 120_600],
  [' 5 ', 5_000],
  ['Fri, 20 Nov 2026 10:02:00 GMT', 120_000],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['1e3', undefined],
  ['2026-11-20', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads Retry-After: %s', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

it('takes the documented delays as minima, and adds at most 10 %', () => {
  const delays = (random: number) =>
    Array.from({ length: 12 }, (_, made) => nextDelayMs(made, undefined, now, random)).map((ms) => ms! / 1_000);
  expect(delays(0)).toEqual([...webhookRules.delaysSeconds]);
  expect(delays(1)).toEqual(webhookRules.delaysSeconds.map((seconds) => expect.closeTo(seconds * 1.1, 6)));
  expect(nextDelayMs(12)).toBeUndefined();
});

it('raises a delay to Retry-After, at most to 24 hours, and never lowers it', () => {
  expect(nextDelayMs(1, '120', now, 0)).toBe(120_000);
  expect(nextDelayMs(4, '1', now, 0)).toBe(600_000);
  expect(nextDelayMs(1, '99999999', now, 0)).toBe(86_400_000);
  expect(nextDelayMs(1, 'nonsense', now, 0)).toBe(5_000);
});
