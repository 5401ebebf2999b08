import { RefusalDelays } from './refusal-delays';

beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => jest.useRealTimers());

/** Refuses one counter a number of times; how many of the refusals are sent so far. */
function refuse(delays: RefusalDelays, times: number, key: string) {
  const state = { sent: 0 };
  for (let n = 0; n < times; n++) void delays.wait(key).then(() => (state.sent += 1));
  return state;
}
const passMs = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('delays a refusal by half a second after ten in the same second, for each counter separately', async () => {
  const delays = new RefusalDelays();
  const one = refuse(delays, 13, 'one');
  const other = refuse(delays, 2, 'other');
  await passMs(499);
  expect([one.sent, other.sent]).toEqual([10, 2]);
  await passMs(1);
  expect(one.sent).toBe(13);
});

it('sends ten immediately in each second', async () => {
  const delays = new RefusalDelays();
  refuse(delays, 20, 'one');
  await passMs(999);
  const late = refuse(delays, 1, 'one');
  await passMs(0);
  expect(late.sent).toBe(0);
  await passMs(1);
  const next = refuse(delays, 11, 'one');
  await passMs(0);
  expect(next.sent).toBe(10);
});

it('lets at most a thousand wait, and sends the others immediately', async () => {
  const delays = new RefusalDelays();
  const refusals = refuse(delays, 1_200, 'one');
  await passMs(0);
  expect(refusals.sent).toBe(200);
  await passMs(500);
  expect(refusals.sent).toBe(1_200);
  const after = refuse(delays, 20, 'one');
  await passMs(0);
  expect(after.sent).toBe(0);
});
