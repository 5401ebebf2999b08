import { createHash } from 'node:crypto';
import { http } from 'msw';
import { answer, api, refuse, server } from '../testing/server';
import { challengeHeader, withChallenge } from './challenge';
import { send } from './http';
import { search } from './proof-of-work';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const salt = '0123456789abcdef01234567?max=5000&expires=1790000000&';
const challenge = (number: number) => ({
  algorithm: 'SHA-256',
  challenge: sha256(salt + number),
  maxnumber: 5_000,
  salt,
  signature: 'f00',
});

it.each([0, 9, 55, 56, 63, 64, 119, 120, 200])('finds the number behind a salt of %i characters', (length) => {
  const long = 'x'.repeat(length);
  expect(search({ salt: long, challenge: sha256(`${long}47`) }, 0, 100)).toBe(47);
  expect(search({ salt: long, challenge: sha256(`${long}47`) }, 48, 100)).toBeUndefined();
});

describe('a request that may require a proof of work', () => {
  const proofs: (string | null)[] = [];
  const working = jest.fn();
  const submit = () => withChallenge((headers) => send({ path: '/echo', method: 'POST', body: {}, headers }), working);
  /** A server that refuses the first `refusals` calls. */
  const asking = (refusals: number) =>
    server.use(
      http.get(api('/public/challenge'), () => answer(challenge(4_321))),
      http.post(api('/echo'), ({ request }) => {
        proofs.push(request.headers.get(challengeHeader));
        return proofs.length <= refusals ? refuse('challenge.required') : answer('taken');
      }),
    );
  beforeEach(() => {
    proofs.length = 0;
    working.mockClear();
  });

  it('is sent once if no proof is required', async () => {
    asking(0);
    expect(await submit()).toEqual({ data: 'taken' });
    expect([proofs, working.mock.calls.length]).toEqual([[null], 0]);
  });

  it('is repeated with the proof', async () => {
    asking(1);
    expect(await submit()).toEqual({ data: 'taken' });
    expect([proofs.length, working.mock.calls.length]).toEqual([2, 1]);
    const { number, ...rest } = JSON.parse(atob(proofs[1]!)) as { number: number };
    const { maxnumber: _, ...sent } = challenge(4_321);
    expect([number, rest]).toEqual([4_321, sent]);
  });

  it('is not repeated a second time', async () => {
    asking(9);
    expect((await submit()).problem?.code).toBe('challenge.required');
    expect(proofs).toHaveLength(2);
  });

  it('returns the error of the challenge', async () => {
    asking(1);
    server.use(http.get(api('/public/challenge'), () => refuse('limit.exceeded')));
    expect((await submit()).problem?.code).toBe('limit.exceeded');
    server.use(http.get(api('/public/challenge'), () => answer({ ...challenge(4_321), maxnumber: 10 })));
    proofs.length = 0;
    expect((await submit()).problem?.code).toBe('challenge.required');
    expect(proofs).toHaveLength(1);
  });
});
