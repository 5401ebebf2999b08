import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import { closeAll, start } from '../test/sample-service';
import { discardBody, exemptFromTimeout } from './slow-requests';

afterAll(closeAll);

/** Sends half a request, and the rest of it after `halfway`; returns the response. */
async function slowly(halfway: (request: IncomingMessage, server: Server) => void): Promise<string> {
  const { url, app } = await start();
  const server = app.getHttpServer();
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    server.once('request', (request) => {
      halfway(request, server);
      socket.write('"x"}');
    });
    socket.write(
      'POST /things HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n{"name":',
    );
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
/** Emits the error that Node emits when a request has not arrived completely in time. */
const timesOut = (request: IncomingMessage, server: Server) =>
  server.emit('clientError', Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket);

it('aborts a request that does not arrive in time, unless it is exempt', async () => {
  expect(await slowly(timesOut)).toMatch(/^HTTP\/1\.1 408 /);
  const spared = await slowly((request, server) => {
    exemptFromTimeout(request);
    timesOut(request, server);
  });
  expect(spared).toMatch(/^HTTP\/1\.1 201 /);
});

it('ends the exemption with the request', async () => {
  const ended = await slowly((request, server) => {
    exemptFromTimeout(request)();
    timesOut(request, server);
  });
  expect(ended).toMatch(/^HTTP\/1\.1 408 /);
});

it('discards the rest of a body that was only partly read', async () => {
  const { url, app } = await start();
  const server = app.getHttpServer();
  const over = new Promise<void>((resolve) => {
    server.once('request', (request: IncomingMessage) => {
      request.removeAllListeners('data');
      const reader = request.iterator({ destroyOnReturn: false });
      void reader.next();
      void reader.return?.();
      discardBody(request);
      request.once('close', resolve);
    });
  });
  await fetch(`${url}/nowhere`, { method: 'POST', body: new Uint8Array(900_000), headers: { 'content-type': 'application/json' } });
  await over;
});
