import { staff } from '@tandem/testing';
import { Lane, type Finished } from './webhook-lane';

const failures = { overload: { outcome: 'timeout', message: 'No response', isOurs: false } } as const;
const finished = (cause: Finished['claimed']['cause'], failure?: (typeof failures)['overload']): Finished => ({
  claimed: { id: '1', event_id: '2', event: 'ticket.created', cause, attempts: 0, body: '{}' },
  sent: {
    at: '2026-11-27T00:00:00.000Z',
    status: failure ? null : 200,
    durationMs: 5,
    error: null,
    failure,
    remote_address: null,
    request_headers: {},
    response_headers: null,
    response_body: null,
  },
});

describe('the outcome of an attempt', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  /** Whether the outcome is stored immediately; otherwise it is after 250 ms. */
  async function isStoredAtOnce(outcome: Finished, underWay = 0): Promise<boolean> {
    const lane = new Lane(staff('admin'), '3');
    lane.underWay = underWay;
    let isAwake = false;
    void lane.next().then(() => (isAwake = true));
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    lane.finish(outcome);
    jest.advanceTimersByTime(249);
    await settled();
    const atOnce = isAwake;
    jest.advanceTimersByTime(1);
    await settled();
    expect(isAwake).toBe(true);
    return atOnce;
  }

  it.each(['event', 'replay'] as const)('waits 250 ms for others to be stored with: %s', async (cause) => {
    expect(await isStoredAtOnce(finished(cause))).toBe(false);
  });

  it.each(['test', 'redelivery'] as const)('is stored at once, because a user waits for it: %s', async (cause) => {
    expect(await isStoredAtOnce(finished(cause))).toBe(true);
  });

  it('is stored at once if the endpoint is overloaded, or has no place for another attempt', async () => {
    expect(await isStoredAtOnce(finished('event', failures.overload))).toBe(true);
    expect(await isStoredAtOnce(finished('event'), new Lane(staff('admin'), '3').limit - 1)).toBe(true);
  });
});
