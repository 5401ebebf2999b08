import type { Shadow } from './merge';
import { differences, differencesProblem, isRetryDue, refusedShadow, retryNow } from './refusals';

const list = { list_fields: [] };
const now = '2026-11-22T10:00:00.000Z';
const minutesUntil = (time: string) => Math.round((Date.parse(time) - Date.parse(now)) / 60_000);
const agreed = { ticket: 'Old', task: 'Old' };

it('a refused field is sent again after about 15 minutes, then after twice as long each time, up to a day', () => {
  let shadow = refusedShadow(agreed, 'Old', 'New', 'Too long', now);
  const pauses: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    pauses.push(minutesUntil(shadow.refused!.retry_at));
    shadow = refusedShadow(shadow, 'Old', 'New', 'Too long', now);
  }
  expect(pauses).toEqual([14, 29, 59, 119, 239, 479, 959, 1439, 1439]);
  expect(refusedShadow(shadow, 'Old', 'Another', 'Too long', now).refused).toMatchObject({ tries: 1 });
});

it('ticket and task keep the values last agreed on, and the reason has a maximum length', () => {
  expect(refusedShadow(agreed, 'Shown', 'New', 'x'.repeat(1_000), now)).toMatchObject({
    ticket: 'Old',
    task: 'Shown',
    refused: { value: 'New', reason: 'x'.repeat(300) },
  });
});

it('"Sync now" makes every refused field due', () => {
  const shadow: Shadow = { title: refusedShadow(agreed, 'Old', 'New', 'Too long', now), status: agreed };
  expect(isRetryDue(shadow, now)).toBe(false);
  const due = retryNow(shadow, now);
  expect(isRetryDue(due, now)).toBe(true);
  expect(due.status).toEqual(agreed);
});

it('the problem lists the differing fields, and each reason once', () => {
  const shadow: Shadow = {
    title: refusedShadow(agreed, 'Old', 'New', 'ClickUp does not take this.', now),
    due_at: refusedShadow(agreed, 'Old', 'New', 'ClickUp does not take this', now),
    status: agreed,
  };
  expect(differences(shadow)).toEqual([
    { field: 'title', reason: 'ClickUp does not take this.' },
    { field: 'due_at', reason: 'ClickUp does not take this' },
  ]);
  expect(differencesProblem(shadow, list)).toBe('Differs: Title, Due time. ClickUp does not take this.');
  expect(differencesProblem({ status: agreed }, list)).toBeNull();
});
