import { removeWaiting } from './connection';
import type { ApiAnswer, ApiRequest } from './http';
import { dropUnsentWork } from './session-cleanup';
import { resend } from './resend';

const request: ApiRequest = { path: '/tickets', method: 'POST', body: {}, resend: { label: 'A ticket' } };
const problem = (status: number, code = 'network.failed'): ApiAnswer => ({
  problem: { success: false, type: 'about:blank', title: '', status, code: code as 'network.failed', request_id: '' },
});
/** Returns the given answers in order, and records the idempotency keys. */
function server(...answers: ApiAnswer[]) {
  const keys: (string | undefined)[] = [];
  const attempt = ({ headers }: ApiRequest) => {
    keys.push(headers?.['idempotency-key']);
    return Promise.resolve(answers.shift() ?? { data: 'done' });
  };
  return { keys, attempt };
}
const goOnline = () => dispatchEvent(new Event('online'));

it.each([
  ['without a network', problem(0)],
  ['on 502', problem(502, 'answer.unreadable')],
  ['on 503', problem(503, 'service.unavailable')],
  ['while the first attempt is in progress', problem(409, 'idempotency.running')],
])('%s: resends with the same key when the connection is back', async (_, first) => {
  const { keys, attempt } = server(first);
  const answer = resend(request, undefined, attempt);
  await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  goOnline();
  expect(await answer).toEqual({ data: 'done' });
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

it('sends requests to one path one after another, those to other paths at once, and those after a failure, too', async () => {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const attempt = ({ path, body }: ApiRequest) => {
    sent.push(`${path} ${String(body)}`);
    return new Promise<ApiAnswer>((resolve) =>
      ends.push(() => resolve(body === 'undo' ? problem(412, 'request.precondition_failed') : { data: body })),
    );
  };
  const send = (path: string, body: string) => resend({ ...request, path, body }, undefined, attempt);
  const answers = [send('/tickets/1', 'undo'), send('/tickets/1', 'resolve'), send('/tickets/2', 'resolve')];
  expect(sent).toEqual(['/tickets/1 undo', '/tickets/2 resolve']);
  ends[0]!();
  expect((await answers[0]!).problem?.status).toBe(412);
  expect(sent).toEqual(['/tickets/1 undo', '/tickets/2 resolve', '/tickets/1 resolve']);
  ends.forEach((end) => end());
  expect(await answers[1]!).toEqual({ data: 'resolve' });
});

it('returns a rejection immediately', async () => {
  const { keys, attempt } = server(problem(422, 'request.invalid'));
  expect((await resend(request, undefined, attempt)).problem?.status).toBe(422);
  expect(keys).toHaveLength(1);
});

it('tries once if the page is closing', async () => {
  const { keys, attempt } = server(problem(0));
  expect((await resend({ ...request, keepalive: true }, undefined, attempt)).problem?.status).toBe(0);
  expect(keys).toHaveLength(1);
});

it('stops when the session ends', async () => {
  const { keys, attempt } = server(problem(0));
  const answer = resend({ ...request, headers: { 'idempotency-key': 'mine' } }, undefined, attempt);
  await new Promise((resolve) => setTimeout(resolve));
  dropUnsentWork();
  expect((await answer).problem?.code).toBe('request.withdrawn');
  expect(keys).toEqual(['mine']);
  removeWaiting('mine');
});

it('is not listed as waiting if it was withdrawn while an attempt was in progress', async () => {
  const first = Promise.withResolvers<ApiAnswer>();
  const answer = resend(request, undefined, () => first.promise);
  dropUnsentWork();
  first.resolve(problem(0));
  expect((await answer).problem?.code).toBe('request.withdrawn');
});
