import { waitFor } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../testing/backend';
import { answer, api, refuse, server } from '../testing/server';
import { readEarly } from './early-reads';
import { send, sendSignedIn } from './http';
import { dropUnsentWork } from './session-cleanup';

const count = (call: string) => backend.calls.filter((each) => each === call).length;
const echo = { path: '/echo', query: { range: '7' } };

it('gives the response of an early read to the first request with the same URL', async () => {
  server.use(http.get(api('/echo'), () => answer('figures')));
  readEarly(echo);
  expect(await send({ path: '/echo', query: { range: '30' } })).toEqual({ data: 'figures' });
  expect(await send(echo)).toEqual({ data: 'figures' });
  expect(count('GET /echo?range=7')).toBe(1);
  await send(echo);
  expect(count('GET /echo?range=7')).toBe(2);
});

it('reports an early read that failed on the network, and sends the next request', async () => {
  server.use(
    http.get(api('/echo'), () => Response.error(), { once: true }),
    http.get(api('/echo'), () => answer('ok')),
  );
  readEarly(echo);
  expect((await send(echo)).problem?.code).toBe('network.failed');
  expect(await send(echo)).toEqual({ data: 'ok' });
});

it('does not use responses from before the access token was renewed', async () => {
  backend.signIn();
  let isFresh = false;
  const protectedPart = () => (isFresh ? answer('ok') : refuse('session.required'));
  server.use(
    http.get(api('/echo'), protectedPart),
    http.get(api('/other'), protectedPart),
    http.post(api('/auth/refresh'), () => {
      isFresh = true;
      return answer({});
    }),
  );
  readEarly(echo, { path: '/other' });
  expect(await sendSignedIn(echo)).toEqual({ data: 'ok' });
  expect(await sendSignedIn({ path: '/other' })).toEqual({ data: 'ok' });
  expect(count('POST /auth/refresh')).toBe(1);
});

it('does not give another user the responses of the previous one', async () => {
  server.use(http.get(api('/echo'), () => answer('ok')));
  readEarly(echo);
  dropUnsentWork();
  await send(echo);
  // The response of the early read may arrive later than the other one.
  await waitFor(() => expect(count('GET /echo?range=7')).toBe(2));
});

it('rejects an aborted request whose response was read early', async () => {
  server.use(http.get(api('/echo'), () => answer('ok')));
  readEarly(echo);
  await expect(send(echo, AbortSignal.abort()).catch((error: Error) => error.name)).resolves.toBe('AbortError');
});
