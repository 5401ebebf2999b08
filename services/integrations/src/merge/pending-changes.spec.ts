import { retryPending, oldestPending, firstRetryAt, withRetryTimes } from './pending-changes';
import type { Shadow } from './merge';

const at = (minutes: number) => new Date(Date.parse('2026-03-01T12:00:00.000Z') + minutes * 60_000).toISOString();
const asked: Shadow = { title: { ticket: 'a', task: 'b', pending_value: 'b' }, priority: { ticket: 'low', task: 'low' } };

it('a proposal waits two minutes, then twice as long each time, up to about an hour', () => {
  let [shadow, minutes] = [withRetryTimes(asked, {}, at(0)), 0];
  const pauses: number[] = [];
  for (let i = 0; i < 7; i += 1) {
    const pause = (Date.parse(firstRetryAt(shadow)!) - Date.parse(at(minutes))) / 60_000;
    pauses.push(pause);
    expect(retryPending(shadow, at(minutes + pause - 1))).toEqual(shadow);
    minutes += pause;
    expect(retryPending(shadow, at(minutes))).toEqual({ ...asked, title: { ticket: 'a', task: null } });
    shadow = withRetryTimes(asked, shadow, at(minutes));
  }
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 64]);
});

it('a pending field keeps its times; an answered one has none', () => {
  const waiting = withRetryTimes(asked, {}, at(0));
  expect(withRetryTimes(waiting, waiting, at(1))).toEqual(waiting);
  expect(oldestPending(waiting)).toBe(at(0));
  expect(oldestPending({ title: { ticket: 'a', task: 'b' } })).toBeUndefined();
});

it('a manual sync does not wait for the retry time', () => {
  const waiting = withRetryTimes(asked, {}, at(0));
  expect(retryPending(waiting, at(0), 'all').title).toEqual({ ticket: 'a', task: null });
  expect(retryPending({ title: { ticket: 'a', task: 'b', pending_value: 'b', superseded: true } }, at(0), 'all').title).toHaveProperty(
    'superseded',
  );
});
