/**
 * The mailbox of a local Tandem, a separate process: accepts every email by SMTP, forwards none, and shows them on a page and as JSON.
 * Listens on 127.0.0.1 unless HOST is set. Reads MAILBOX_DIRECTORY, SMTP_PORT, HTTP_PORT, HOST.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { requiredVariable } from './cli/command-line.ts';
import { mailPage, mailFrame } from './mail-page.ts';
import { MailStore } from './mail-store.ts';

const directory = requiredVariable('MAILBOX_DIRECTORY');
const store = new MailStore(directory);

const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  size: 25_000_000,
  onData(stream, session, callback) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      if (stream.sizeExceeded) return callback(Object.assign(new Error('message too large'), { responseCode: 552 }));
      const { mailFrom, rcptTo } = session.envelope;
      // Accepted only after the email is on disk: '250' promises that it is not lost.
      store.add(Buffer.concat(chunks), { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((each) => each.address) }).then(
        () => callback(),
        (error: Error) => callback(error),
      );
    });
  },
});
// The event is also emitted if a client's connection breaks, which must not stop the server.
smtp.on('error', (error) => {
  if (!smtp.server.listening) fail(error);
});

const http = createServer((request, response) => {
  handle(request, response).catch((error: Error) => {
    console.error(error);
    send(response, 500, 'application/json', JSON.stringify({ error: error.message }));
  });
});
http.on('error', (error) => fail(error));

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Prevents DNS rebinding: a page whose host name resolves to 127.0.0.1 must not read the emails.
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? ''))
    return send(response, 421, 'text/plain', 'Use the host name localhost.');
  const url = new URL(request.url ?? '/', 'http://localhost');
  const id = /^\/(?:api\/messages|mails)\/([\w-]+)$/.exec(url.pathname)?.[1];
  if (url.pathname === '/api/messages' && request.method === 'DELETE') {
    store.clear();
    return send(response, 204);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain', 'Method not allowed');
  if (url.pathname === '/') return send(response, 200, 'text/html', mailPage);
  if (url.pathname === '/api/instance') return send(response, 200, 'application/json', JSON.stringify({ directory: store.directory }));
  if (url.pathname === '/api/messages')
    return send(response, 200, 'application/json', JSON.stringify(store.list(url.searchParams.get('to') ?? undefined)));
  const mail = id ? store.get(id) : undefined;
  if (!mail) return send(response, 404, 'text/plain', 'Not found');
  if (url.pathname.startsWith('/mails/'))
    return send(response, 200, 'text/html', mailFrame(mail), { 'content-security-policy': framePolicy });
  return send(response, 200, 'application/json', JSON.stringify(mail));
}

/** An email is untrusted content: no scripts, no forms, no requests; its links open in a new tab. */
const framePolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-src 'self'; base-uri 'none'";

function send(response: ServerResponse, status: number, type?: string, body = '', headers: Record<string, string> = {}): void {
  const basic = {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': pagePolicy,
    'referrer-policy': 'no-referrer',
  };
  response.writeHead(status, { ...basic, ...(type ? { 'content-type': `${type}; charset=utf-8` } : {}), ...headers }).end(body);
}

function fail(error: Error): never {
  console.error(error);
  process.exit(1);
}

function stop(): void {
  http.close();
  http.closeAllConnections();
  smtp.close(() => process.exit(0));
}

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// In a container it must listen on the container's own address; otherwise only this machine may connect.
const host = process.env.HOST ?? '127.0.0.1';
store.load().then(() => {
  smtp.listen(Number(requiredVariable('SMTP_PORT')), host);
  http.listen(Number(requiredVariable('HTTP_PORT')), host);
}, fail);
