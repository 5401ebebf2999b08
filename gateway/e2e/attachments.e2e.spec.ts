import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { attachmentRules, type Attachment, type Comment } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { eventually } from '@tandem/testing';
import type { Browser } from './client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

// Garbage collection on demand, so that uncollected buffers do not count as memory in use.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MB = 1024 * 1024;
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

let app: TestApp;
let ada: OwnerSession;
let elsewhere: OwnerSession;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '1000' });
  [ada, elsewhere] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
});

interface Announced {
  attachment_id: string;
  upload_url: string;
}
const announce = (file_name: string, size: number, browser: Browser = ada.browser) =>
  browser.post<Announced>('/attachments', { file_name, size });
/** Uploads without a session: only the signed URL counts. */
const put = (url: string, raw: Buffer, headers: Record<string, string> = { 'content-type': 'image/png' }) =>
  app.browser().send<Attachment>('PUT', `/${url}`, { raw, headers });
async function uploaded(name: string, bytes: Buffer, browser?: Browser): Promise<Attachment> {
  const { data } = await announce(name, bytes.length, browser);
  const answer = await put(data.upload_url, bytes);
  expect(answer.status).toBe(200);
  return answer.data;
}
const linkOf = async (id: string, browser: Browser = ada.browser) =>
  (await browser.post<{ url: string }>(`/attachments/${id}/link`)).data.url;
const download = (url: string, method = 'GET') => app.browser().fetch(method, `/${url}`);

it('uploads five megabytes, attaches them to a comment, and downloads them by link without a session', async () => {
  const bytes = randomBytes(5 * MB);
  const file = await uploaded('data.bin', bytes);
  const ticket = await app.ticket(ada.browser);
  const { data } = await ada.browser.post<Comment>(`/tickets/${ticket.id}/comments`, { content: 'Here', attachment_ids: [file.id] });
  expect(data.attachments).toEqual([file]);
  const answer = await download(await linkOf(file.id));
  expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), bytes)).toBe(0);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="data.bin"; filename*=UTF-8''data.bin`,
    'content-length': String(bytes.length),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': expect.stringMatching(/^private, max-age=\d{1,3}$/),
  });
  expect(answer.headers.get('content-encoding')).toBeNull();
});

it('displays images inline, and sends HTML, SVG and programs as downloads under every file name', async () => {
  const picture = await download(await linkOf((await uploaded('cat.png', png)).id));
  expect([picture.headers.get('content-type'), picture.headers.get('content-disposition')]).toEqual([
    'image/png',
    `inline; filename="cat.png"; filename*=UTF-8''cat.png`,
  ]);
  for (const content of [
    '<!doctype html><html><script>alert(document.cookie)</script></html>',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    Buffer.concat([Buffer.from('MZ'), randomBytes(2_000)]),
    Buffer.concat([Buffer.from('\x7fELF'), randomBytes(2_000)]),
  ]) {
    for (const name of ['cat.png', 'cat.svg', 'cat.html']) {
      const answer = await download(await linkOf((await uploaded(name, Buffer.from(content as string))).id));
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /);
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  }
});

it('rejects path traversal and header injection in file names', async () => {
  for (const [given, kept] of [
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/etc/cron.d/x', 'x'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
  ] as const) {
    const file = await uploaded(given, png);
    expect(file.file_name).toBe(kept);
    const answer = await download(await linkOf(file.id));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
});

it('refuses links that are invalid, already used or for another purpose, and files of another organization', async () => {
  const { data } = await announce('a.png', png.length);
  const mine = await uploaded('b.png', png);
  const url = await linkOf(mine.id);
  for (const wrong of [url.slice(0, -3), `${url}AA`, '/api/v1/files/x', '/api/v1/files/..%2f..%2fetc%2fpasswd', data.upload_url]) {
    const answer = await app.browser().get(`/${wrong}`);
    expect([answer.status, answer.body.code]).toEqual([410, 'file.link_expired']);
  }
  expect((await put(url, png)).body.code).toBe('file.link_expired');
  expect((await put(data.upload_url, png)).status).toBe(200);
  expect((await put(data.upload_url, png)).body.code).toBe('file.link_expired');
  expect((await elsewhere.browser.post(`/attachments/${mine.id}/link`)).body.code).toBe('attachment.not_found');
  const foreign = await app.ticket(elsewhere.browser);
  const answer = await elsewhere.browser.post(`/tickets/${foreign.id}/comments`, { content: 'x', attachment_ids: [mine.id] });
  expect([answer.status, answer.body.code]).toEqual([422, 'attachment.not_usable']);
});

it('accepts exactly the announced size up to 20 MB, and refuses other sizes while the client is still sending', async () => {
  for (const size of [png.length - 1, png.length + 1, 3 * MB]) {
    const { data } = await announce('a.png', size);
    const answer = await put(data.upload_url, png);
    expect([answer.status, answer.body.code]).toEqual([422, 'attachment.refused']);
  }
  const { data } = await announce('a.png', 10);
  expect((await put(data.upload_url, randomBytes(15 * MB))).body.code).toBe('attachment.refused');
  const { data: large } = await announce('a.png', attachmentRules.maxBytes);
  expect(await headOf(large.upload_url, ['content-length: 20971521'])).toMatch(/^HTTP\/1\.1 413 /);
  expect(await headOf(large.upload_url, ['transfer-encoding: chunked'])).toMatch(/^HTTP\/1\.1 400 /);
  expect((await put(large.upload_url, randomBytes(attachmentRules.maxBytes))).status).toBe(200);
});

/** Sends only the headers of a PUT and returns the status line. */
function headOf(url: string, headers: string[]): Promise<string> {
  const { hostname, port, host } = new URL(app.gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write([`PUT ${url} HTTP/1.1`, `host: ${host}`, ...headers, '', ''].join('\r\n')),
    );
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(chunk.toString());
    });
    socket.once('error', reject);
  });
}

it('refuses a file type that email servers reject, naming the field', async () => {
  const answer = await announce('update.exe', 10);
  expect([answer.status, answer.body.code, answer.body.errors?.[0]?.path]).toEqual([422, 'attachment.refused', 'file_name']);
});

async function hasUploadStarted(id: string): Promise<boolean> {
  const db = app.services.tickets.app.get<Database<{ attachments: { id: string; upload_started_at: string | null } }>>(Database);
  const row = await db.forTenant({ organization_id: ada.organization.id }, (tx) =>
    tx.selectFrom('attachments').select('upload_started_at').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  return row.upload_started_at !== null;
}

it('discards an upload that the client aborts, and accepts the next one', async () => {
  const { data } = await announce('a.bin', 2 * MB);
  const request = httpRequest(`${app.gateway.url}${data.upload_url}`, { method: 'PUT', headers: { 'content-length': 2 * MB } });
  const ended = new Promise<void>((resolve, reject) => {
    request.on('error', () => resolve());
    request.on('response', () => reject(new Error('answered half a file')));
  });
  request.write(randomBytes(MB));
  // An upload that ends before its first byte reaches the service has not begun, and its address stays valid.
  await eventually(async () => expect(await hasUploadStarted(data.attachment_id)).toBe(true));
  request.destroy();
  await ended;
  await eventually(async () => expect((await put(data.upload_url, randomBytes(2 * MB))).status).toBe(410));
  expect((await ada.browser.post(`/attachments/${data.attachment_id}/link`)).body.code).toBe('attachment.not_found');
  await uploaded('b.png', png);
});

it('accepts file bytes without session and CSRF token, and counts the request against the rate limit', async () => {
  const { data } = await announce('a.png', png.length);
  const answer = await put(data.upload_url, png, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
  expect(answer.status).toBe(200);
  expect(Number(answer.headers.get('x-ratelimit-used'))).toBeGreaterThan(0);
});

it('streams many large files without holding them in memory', async () => {
  const [count, bytes] = [6, randomBytes(20 * MB)];
  const urls = await Promise.all(Array.from({ length: count }, async () => (await announce('large.bin', bytes.length)).data.upload_url));
  const held = () => {
    // Twice: the first collection frees the buffers concurrently, and the second waits for that.
    collect();
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  // Measured once, when 100 of 120 MB have been sent, because a collection takes up to a second.
  let [sent, growth] = [0, Infinity];
  const onSent = (length: number) => {
    const isDue = sent < 100 * MB && sent + length >= 100 * MB;
    sent += length;
    if (isDue) growth = held() - before;
  };
  // All uploads send slices of one buffer, so any growth is memory held by the services.
  const answers = await Promise.all(urls.map((url) => send(url, bytes, onSent)));
  expect(answers).toEqual(urls.map(() => 200));
  // 120 MB pass through gateway and service in this process.
  expect(growth).toBeLessThan(40 * MB);
  expect(held() - before).toBeLessThan(40 * MB);
}, 240_000);

function send(url: string, bytes: Buffer, onSent: (length: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${app.gateway.url}${url}`, { method: 'PUT', headers: { 'content-length': bytes.length } });
    request.on('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    request.on('error', reject);
    let at = 0;
    const more = () => {
      while (at < bytes.length) {
        const piece = bytes.subarray(at, (at += 64 * 1024));
        onSent(piece.length);
        if (!request.write(piece)) return void request.once('drain', more);
      }
      request.end();
    };
    more();
  });
}
