import { request as httpRequest } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Comment, CsvKind, Import, ImportProblem, ImportSource, Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import type { Browser } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { zipOf } from './zip';

let app: TestApp;
let ada: OwnerSession;
let elsewhere: OwnerSession;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '100000' });
  [ada, elsewhere] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
});

interface Upload {
  name: string;
  bytes: Buffer | string;
  kind?: CsvKind;
}
const announce = (id: string, name: string, size: number, { kind, browser = ada.browser }: { kind?: CsvKind; browser?: Browser } = {}) =>
  browser.post<{ file_id: string; upload_url: string }>(`/imports/${id}/files`, { file_name: name, size, ...(kind && { kind }) });
/** Without a session: only the signed URL counts. */
const put = (url: string, raw: Buffer | string) =>
  app.browser().send('PUT', `/${url}`, { raw: Buffer.from(raw as string), headers: { 'content-type': 'application/octet-stream' } });

async function prepare(source: ImportSource, files: Upload[], browser = ada.browser): Promise<string> {
  const { data } = await browser.post<Import>('/imports', { source });
  for (const { name, bytes, kind } of files) {
    const announced = await announce(data.id, name, Buffer.byteLength(bytes), { kind, browser });
    expect([name, announced.status]).toEqual([name, 201]);
    expect([name, (await put(announced.data.upload_url, bytes)).status]).toEqual([name, 200]);
  }
  return data.id;
}
async function run(id: string, action: 'check' | 'start' | 'undo', browser = ada.browser): Promise<Import> {
  const answer = await browser.post(`/imports/${id}/${action}`);
  expect([action, answer.status, answer.body.code]).toEqual([action, 200, undefined]);
  return eventually(async () => {
    const { data } = await browser.get<Import>(`/imports/${id}`);
    if (['checking', 'importing', 'undoing'].includes(data.state)) throw new Error(`still ${data.state}`);
    return data;
  });
}
const problemsOf = async (id: string) => (await ada.browser.get<ImportProblem[]>(`/imports/${id}/problems?limit=50`)).data;
const ticketsWith = async (text: string, browser = ada.browser): Promise<Ticket[]> => {
  const { status, body, data } = await browser.get<Ticket[]>(`/tickets?search=${encodeURIComponent(text)}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return data;
};
const imported = async (source: ImportSource, files: Upload[]): Promise<Import> => {
  const id = await prepare(source, files);
  const checked = await run(id, 'check');
  expect([checked.state, checked.failure]).toEqual(['ready', null]);
  return run(id, 'start');
};

it('reads CSV files in each encoding and with each separator', async () => {
  const text = (id: string, separator = ',') =>
    [`id${separator}subject${separator}customer_email`, `${id}${separator}"Größe € ${id}"${separator}carla@example.com`].join('\r\n');
  const swap = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
  const done = await imported('csv', [
    { name: 'bom.csv', bytes: `\uFEFF${text('e1')}`, kind: 'tickets' },
    { name: 'utf16le.csv', bytes: Buffer.from(`\uFEFF${text('e2', '\t')}`, 'utf16le'), kind: 'tickets' },
    { name: 'utf16be.csv', bytes: swap(Buffer.from(`\uFEFF${text('e3')}`, 'utf16le')), kind: 'tickets' },
    { name: 'windows1252.csv', bytes: Buffer.from(text('e4', ';').replace('€', '\x80'), 'latin1'), kind: 'tickets' },
  ]);
  expect([done.state, done.problems, done.counts.ticket]).toEqual(['done', {}, { found: 4, created: 4, existing: 0, failed: 0 }]);
  const subjects = (await ticketsWith('Größe')).map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual(['e1', 'e2', 'e3', 'e4'].map((id) => `Größe € ${id}`));
}, 90_000);

it('leaves out rows that are wrong, lists each with its line, and imports all others as text', async () => {
  const rows = [
    'id,subject,description,customer_email,status,created_at,updated_at',
    'h1,"=HYPERLINK(""http://evil.test"")","<script>alert(1)</script>",carla@example.com,open,2024-01-02T03:04:05Z,2024-01-02T03:04:05Z',
    'h2,ragged,only three',
    'h3,year 0,x,carla@example.com,open,0000-01-01T00:00:00Z,',
    'h4,year 9999,x,carla@example.com,open,9999-12-31T00:00:00Z,',
    'h5,no address,x,nobody at example,open,2024-01-02,',
    'h6,,x,carla@example.com,open,2024-01-02,',
    'h1,again,x,carla@example.com,open,2024-01-02,',
    `h7,"${'long '.repeat(2_000)}","nul \0 and \u{1F600} \uFFFF",carla@example.com,open,2024-02-30,`,
    `h8,"two\nlines",x,"${'a'.repeat(400)}@example.com",open,2024-01-02,`,
    'h9,unknown status,x,carla@example.com,exploded,2024-01-02T00:00:00Z,',
  ];
  const comments = [
    'ticket_id,content,created_at',
    'h1,fine,2024-01-03T00:00:00Z',
    'missing,nowhere,2024-01-03T00:00:00Z',
    `${randomUUID()},x,1969-01-01`,
  ];
  const id = await prepare('csv', [
    { name: 'tickets.csv', bytes: rows.join('\n'), kind: 'tickets' },
    { name: 'comments.csv', bytes: comments.join('\n'), kind: 'comments' },
  ]);
  expect((await run(id, 'check')).state).toBe('ready');
  const done = await run(id, 'start');
  expect(done.state).toBe('done');
  const problems = await problemsOf(id);
  const found = (key: string) => problems.filter((problem) => problem.key === key).map(({ code }) => code);
  expect([found('h3'), found('h4'), found('h5'), found('h6')]).toEqual([['time.invalid'], ['time.invalid'], ['email.invalid'], []]);
  expect([found('h1').includes('id.repeated'), found('h8')]).toEqual([true, ['email.invalid']]);
  expect(problems).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'line.ragged', line: 3, file: 'tickets.csv' })]));
  expect(problems.filter(({ code, file }) => code === 'parent.missing' && file === 'comments.csv').length).toBeGreaterThanOrEqual(1);
  const [ticket] = await ticketsWith('HYPERLINK');
  expect(ticket).toMatchObject({ subject: '=HYPERLINK("http://evil.test")', created_at: '2024-01-02T03:04:05.000Z', status: 'open' });
  expect((await ticketsWith('No subject')).map(({ customer_email }) => customer_email)).toEqual(['carla@example.com']);
  const { data: full } = await ada.browser.get<Ticket>(`/tickets/${ticket!.id}`);
  expect(full.description).toBe('<script>alert(1)</script>');
  const { data: thread } = await ada.browser.get<Comment[]>(`/tickets/${ticket!.id}/comments`);
  expect(thread.map(({ content }) => content)).toEqual(['fine']);
}, 90_000);

it('touches nothing of another organization whose ids are in a file, and imports nothing twice', async () => {
  const theirs = await app.ticket(elsewhere.browser, { subject: 'Not yours' });
  const mine = await app.ticket(ada.browser, { subject: 'Mine before' });
  const before = await Promise.all([elsewhere.browser.get(`/tickets/${theirs.id}`), ada.browser.get(`/tickets/${mine.id}`)]);
  const files = [theirs.id, mine.id].flatMap((key, index): Upload[] => [
    {
      name: `tickets-${index}.csv`,
      bytes: `id,number,subject,customer_email,assignee\n${key},${theirs.ticket_number},Stolen ${index},carla@example.com,${elsewhere.email}\n`,
      kind: 'tickets',
    },
    {
      name: `comments-${index}.csv`,
      bytes: `id,ticket_id,content,author_email\n${key},${key},Injected,${elsewhere.email}\n`,
      kind: 'comments',
    },
  ]);
  const first = await imported('csv', files);
  expect([first.state, first.counts.ticket?.created]).toEqual(['done', 2]);
  const after = await Promise.all([elsewhere.browser.get(`/tickets/${theirs.id}`), ada.browser.get(`/tickets/${mine.id}`)]);
  expect(after.map(({ data }) => data)).toEqual(before.map(({ data }) => data));
  expect((await elsewhere.browser.get<Comment[]>(`/tickets/${theirs.id}/comments`)).data).toEqual([]);
  expect(await ticketsWith('Stolen', elsewhere.browser)).toEqual([]);
  const stolen = await ticketsWith('Stolen');
  expect(stolen.map(({ assigned_to }) => assigned_to)).toEqual([null, null]);
  expect(new Set([...stolen, mine].map(({ ticket_number }) => ticket_number)).size).toBe(3);
  const again = await imported('csv', files);
  expect(again.counts.ticket).toMatchObject({ created: 0, existing: 2 });
  expect(await ticketsWith('Stolen')).toHaveLength(2);
  const undone = await run(first.id, 'undo');
  expect([undone.state, undone.kept_count]).toEqual(['undone', 0]);
  expect([await ticketsWith('Stolen'), (await ada.browser.get(`/tickets/${mine.id}`)).status]).toEqual([[], 200]);
  expect((await elsewhere.browser.get(`/tickets/${theirs.id}`)).status).toBe(200);
}, 90_000);

it('gives imports to admins of their organization only', async () => {
  const id = await prepare('csv', [
    { name: 'tickets.csv', bytes: 'id,subject,customer_email\nr1,Role,carla@example.com\n', kind: 'tickets' },
  ]);
  const calls = (browser: Browser) => [
    browser.get(`/imports/${id}`),
    browser.patch(`/imports/${id}`, { options: { files: false } }),
    announce(id, 'x.csv', 3, { browser }),
    browser.post(`/imports/${id}/check`),
    browser.get(`/imports/${id}/preview`),
    browser.get(`/imports/${id}/problems`),
    browser.post(`/imports/${id}/start`),
    browser.post(`/imports/${id}/cancel`),
    browser.post(`/imports/${id}/undo`),
  ];
  const statuses = async (browser: Browser) =>
    new Set((await Promise.all(calls(browser))).map((answer) => `${answer.status} ${answer.body.code}`));
  expect(await statuses(elsewhere.browser)).toEqual(new Set(['404 import.not_found']));
  for (const role of ['agent', 'manager'] as const)
    expect(new Set((await Promise.all(calls(app.as(role, ada.organization.id)))).map(({ status }) => status))).toEqual(new Set([403]));
  expect(new Set((await Promise.all(calls(app.browser()))).map(({ status }) => status))).toEqual(new Set([401]));
  expect((await ada.browser.get<Import>(`/imports/${id}`)).data).toMatchObject({ state: 'preparing', options: { files: true } });
  expect((await elsewhere.browser.get<Import[]>('/imports')).data).toEqual([]);
});

it('counts the tickets of the list exactly, although numbers were skipped and tickets deleted', async () => {
  const total = async () => {
    const { body, data } = await ada.browser.get<Ticket[]>('/tickets?limit=100');
    return [body.meta.pagination!.total, data.length];
  };
  const [before] = await total();
  const rows = 'number,subject,customer_email\n700000,High number,carla@example.com\n,No number,carla@example.com\n';
  const done = await imported('csv', [{ name: 'tickets.csv', bytes: rows, kind: 'tickets' }]);
  expect(await total()).toEqual([before! + 2, before! + 2]);
  expect((await app.ticket(ada.browser)).ticket_number).toMatch(/-700002$/);
  expect(await total()).toEqual([before! + 3, before! + 3]);
  await run(done.id, 'undo');
  expect(await total()).toEqual([before! + 1, before! + 1]);
});

describe('uploads', () => {
  /** Sends a header that promises more than the body has, and ends the connection. */
  const breakOff = (url: string, promised: number): Promise<void> =>
    new Promise((resolve) => {
      const sending = httpRequest(new URL(url, `${app.gateway.url}/`), {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', 'content-length': promised },
      });
      sending.on('error', () => resolve());
      sending.on('response', (answer) => answer.resume().on('end', resolve));
      sending.write('id,subject', () => setImmediate(() => sending.destroy()));
      sending.on('close', resolve);
    });

  it('stores a file only if it is complete, once, and by its own URL', async () => {
    const { data } = await ada.browser.post<Import>('/imports', { source: 'csv' });
    const isUploaded = async () => (await ada.browser.get<Import>(`/imports/${data.id}`)).data.files.map((file) => file.is_uploaded);
    expect((await announce(data.id, 'large.csv', 2 * 1024 ** 3 + 1)).status).toBe(422);
    const large = (await announce(data.id, 'large.csv', 2 * 1024 ** 3)).data;
    await breakOff(large.upload_url, 2 * 1024 ** 3);
    expect((await isUploaded()).filter(Boolean)).toEqual([]);
    expect(codeOf(await ada.browser.post(`/imports/${data.id}/check`))).toMatch(/import\.no_file/);
    const small = (await announce(data.id, 'small.csv', 40)).data;
    expect((await put(small.upload_url.replace(/.{5}$/, 'AAAAA'), Buffer.alloc(40))).status).toBeGreaterThanOrEqual(400);
    expect((await put(small.upload_url, Buffer.alloc(41))).status).toBeGreaterThanOrEqual(400);
    const short = (await announce(data.id, 'short.csv', 40)).data;
    expect((await put(short.upload_url, Buffer.alloc(39))).status).toBeGreaterThanOrEqual(400);
    expect((await isUploaded()).filter(Boolean)).toEqual([]);
    const rows = 'id,subject,customer_email\n1,A,c@d.test\n';
    const good = (await announce(data.id, 'good.csv', rows.length)).data;
    expect((await put(good.upload_url, rows)).status).toBe(200);
    expect((await put(good.upload_url, rows)).status).toBeGreaterThanOrEqual(400);
    expect((await isUploaded()).filter(Boolean)).toEqual([true]);
  });

  it('fails for archives that are bombs, encrypted, cut off or something else, with the reason', async () => {
    const line = JSON.stringify({ id: 1, subject: 'In an archive', requester: { email: 'c@d.test', name: 'C' }, comments: [] });
    const good = zipOf([{ name: 'tickets.json', data: `${line}\n` }]);
    const zeros = Buffer.alloc(8 * 1024 ** 2);
    const bombs = Array.from({ length: 20 }, (_, index) => ({ name: `tickets-${index}.json`, data: zeros, claimedSize: 4_000_000_000 }));
    const cases: [string, Buffer, Import['failure'][]][] = [
      ['encrypted', zipOf([{ name: 'tickets.json', data: line, isEncrypted: true }]), ['source.encrypted']],
      ['bomb', zipOf(bombs), ['source.too_large', 'source.unreadable', 'source.empty']],
      ['cut', good.subarray(0, good.length - 30), ['source.unreadable']],
      ['text', Buffer.from('This is not an archive'), ['source.unreadable', 'source.empty']],
      ['traversal', zipOf([{ name: '../../../../etc/passwd', data: 'root:x' }]), ['source.unreadable', 'source.empty']],
    ];
    for (const source of ['zendesk', 'tandem'] as const)
      for (const [name, bytes, failures] of cases) {
        const id = await prepare(source, [{ name: `${name}.zip`, bytes }]);
        const { state, failure } = await run(id, 'check');
        expect([source, name, state, failures.includes(failure)]).toEqual([source, name, 'failed', true]);
      }
  }, 120_000);
});
