import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addComment,
  announceAttachment,
  attachmentRules,
  createTicket,
  linkAttachment,
  listAttachments,
  listComments,
  systemContext,
  type Attachment,
  type Comment,
  type Context,
  type Role,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { ticketInput, asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { FileTokens, type FileToken } from './file-token';
import { uploadLimits } from './file.controller';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
let tokens: FileTokens;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start({ SWEEP_MS: '200' });
  tokens = new FileTokens([tickets.linkSecret]);
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const gateway = () => signContext({ organization_id: null, actor: { type: 'customer' }, request_id: 'test' }, tickets.secret);
const pathOf = (url: string) => url.replace('/api/v1', '');
const soon = () => new Date(Date.now() + 60_000).toISOString();

interface Announced {
  attachment_id: string;
  upload_url: string;
  expires_at: string;
}
const announce = (body: unknown, ctx: Context = asStaff(organization)) => tickets.call<Announced>(announceAttachment, ctx, { body });
async function send(url: string, bytes: Buffer, context: string | null = gateway()) {
  const headers = { 'content-type': 'application/octet-stream', ...(context === null ? {} : { 'x-tandem-context': context }) };
  const response = await fetch(`${tickets.url}${pathOf(url)}`, { method: 'PUT', headers, body: new Uint8Array(bytes) });
  const answer = (await response.json()) as { data?: Attachment; code?: string; detail?: string };
  return { status: response.status, code: answer.code, detail: answer.detail, file: answer.data! };
}
async function upload(bytes: Buffer = png, file_name = 'cat.png', ctx?: Context): Promise<Attachment> {
  const { data } = await announce({ file_name, size: bytes.length }, ctx);
  const { status, file } = await send(data.upload_url, bytes);
  expect(status).toBe(200);
  return file;
}
const link = (id: string, ctx: Context = asStaff(organization)) =>
  tickets.call<{ url: string; expires_at: string }>(linkAttachment, ctx, { params: { id } });
const get = (url: string) => fetch(`${tickets.url}${pathOf(url)}`, { headers: { 'x-tandem-context': gateway() } });
const comment = (id: string, attachment_ids: string[], ctx: Context = asStaff(organization)) =>
  tickets.call<Comment>(addComment, ctx, { params: { id }, body: { content: 'See the file', attachment_ids } });
const row = (id: string, ctx: Pick<Context, 'organization_id'> = { organization_id: organization.id }) =>
  tickets.db.forTenant(ctx, (tx) => tx.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst());
const setAge = (id: string, hours: number) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
      .where('id', '=', id)
      .execute(),
  );
const pathOnDisk = (id: string) => join(tickets.filesDirectory, organization.id, id);
const filesOnDisk = async () => (await readdir(join(tickets.filesDirectory, organization.id)).catch(() => [])).sort();

describe('uploads', () => {
  it('stores an announced file under a generated name with owner-only permissions, and returns it byte for byte', async () => {
    const { status, data } = await announce({ file_name: 'cat.png', size: png.length });
    expect(status).toBe(201);
    expect(data.upload_url).toMatch(/^\/api\/v1\/files\/[\w.-]+$/);
    expect(Date.parse(data.expires_at) - Date.now()).toBeLessThanOrEqual(attachmentRules.linkSeconds * 1000);
    const sent = await send(data.upload_url, png);
    expect(sent).toMatchObject({
      status: 200,
      file: { id: data.attachment_id, file_name: 'cat.png', size: png.length, content_type: 'image/png' },
    });
    expect((await stat(pathOnDisk(sent.file.id))).mode & 0o777).toBe(0o600);
    const answer = await get((await link(sent.file.id)).data.url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="cat.png"; filename*=UTF-8''cat.png`,
      'content-length': String(png.length),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': expect.stringMatching(/^private, max-age=(29\d|300)$/),
    });
  });
  it('accepts one upload per URL, even if several are concurrent', async () => {
    const { data } = await announce({ file_name: 'a.png', size: png.length });
    const answers = await Promise.all([send(data.upload_url, png), send(data.upload_url, png), send(data.upload_url, png)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410]);
    expect((await send(data.upload_url, png)).code).toBe('file.link_expired');
  });
  it.each([-1, 1])('rejects a size that differs from the announced one by %i, and stores nothing', async (difference) => {
    const before = await filesOnDisk();
    const { data } = await announce({ file_name: 'a.png', size: png.length + difference });
    expect(await send(data.upload_url, png)).toMatchObject({ status: 422, code: 'attachment.refused' });
    expect(await filesOnDisk()).toEqual(before);
    expect(await row(data.attachment_id)).toBeUndefined();
  });
  it('removes an aborted upload', async () => {
    const before = await filesOnDisk();
    const { data } = await announce({ file_name: 'a.bin', size: 1_000_000 });
    const controller = new AbortController();
    async function* half() {
      yield randomBytes(300_000);
      await eventually(async () => expect(await filesOnDisk()).not.toEqual(before));
      controller.abort();
      yield randomBytes(1);
    }
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '1000000', 'x-tandem-context': gateway() };
    const body = half() as unknown as ReadableStream;
    const init = { method: 'PUT', headers, body, signal: controller.signal, duplex: 'half' };
    await expect(fetch(`${tickets.url}${pathOf(data.upload_url)}`, init as RequestInit)).rejects.toThrow();
    await eventually(async () => expect([await row(data.attachment_id), await filesOnDisk()]).toEqual([undefined, before]));
  });
  it('aborts a stalled upload with an error, and removes it', async () => {
    const before = await filesOnDisk();
    const { data } = await announce({ file_name: 'a.bin', size: 1_000 });
    async function* half(until: Promise<unknown>) {
      yield randomBytes(500);
      await until;
    }
    let leave = () => {};
    const body = half(new Promise<void>((resolve) => (leave = resolve))) as unknown as ReadableStream;
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '1000', 'x-tandem-context': gateway() };
    const limit = jest.replaceProperty(uploadLimits, 'idleMs', 1_000);
    const answer = await fetch(`${tickets.url}${pathOf(data.upload_url)}`, { method: 'PUT', headers, body, duplex: 'half' });
    limit.restore();
    leave();
    expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([400, 'Upload timed out']);
    expect(await row(data.attachment_id)).toBeUndefined();
    expect(await filesOnDisk()).toEqual(before);
  });
  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 'page.png', 'text/plain'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'drawing.svg', 'text/plain'],
    ['XML', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'drawing.svg', 'application/xml'],
    ['a program', Buffer.concat([Buffer.from('MZ'), randomBytes(500)]), 'cat.png', 'application/x-msdownload'],
    ['text in another script', 'Zażółć gęślą jaźń 👍\r\n', 'notes.txt', 'text/plain'],
    ['noise', Buffer.from([0xff, 0, 0xc3, 0x28, 1, 2]), 'noise.txt', 'application/octet-stream'],
    ['text that ends within a character', Buffer.from('é').subarray(0, 1), 'half.txt', 'application/octet-stream'],
  ])('detects the type of %s from its bytes, and serves it as a download', async (_what, content, name, type) => {
    const file = await upload(Buffer.from(content as never), name);
    expect(file.content_type).toBe(type);
    const { headers } = await get((await link(file.id)).data.url);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  });
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\report.pdf', 'report.pdf'],
    ['in\u202etxt.pdf', 'intxt.pdf'],
    ['  ...hidden.txt. ', '...hidden.txt'],
    ['日本 "quoted".png', '日本 "quoted".png'],
  ])('removes unsafe parts of the name %j', async (given, kept) => {
    expect((await upload(png, given)).file_name).toBe(kept);
  });
  it('escapes file names in both forms of the header', async () => {
    const file = await upload(png, 'Ünï "x"; 100%.png');
    const { headers } = await get((await link(file.id)).data.url);
    const extended = '%C3%9Cn%C3%AF%20%22x%22%3B%20100%25.png';
    expect(headers.get('content-disposition')).toBe(`inline; filename="Uni _x_; 100_.png"; filename*=UTF-8''${extended}`);
  });
  it.each([
    [{ file_name: 'setup.exe', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'setup.EXE . ', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'a.e\u200bxe', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'setup.msix', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'disk.ISO', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'invoice.docm', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'sheet.xlsm.', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'link.url', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'run.sh ', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'go.desktop', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'page.mhtml', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'file.txt:evil.exe', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'a.exe::$DATA', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'picture.png:$DATA', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'notes.txt:hidden', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'cod\u202egpj.exe', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: 'invoice.ex\u200be', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: '../', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: '..', size: 10 }, 'attachment.refused', 'file_name'],
    [{ file_name: ' ', size: 10 }, 'request.invalid', 'file_name'],
    [{ file_name: 'a\u0000.png', size: 10 }, 'request.invalid', 'file_name'],
    [{ file_name: `${'a'.repeat(197)}.png`, size: 10 }, 'request.invalid', 'file_name'],
    [{ file_name: 'a.png', size: 0 }, 'request.invalid', 'size'],
    [{ file_name: 'a.png', size: attachmentRules.maxBytes + 1 }, 'request.invalid', 'size'],
    [{ file_name: 'a.png', size: 1.5 }, 'request.invalid', 'size'],
    [{ file_name: 'a.png', size: 1, content_type: 'image/png' }, 'request.invalid', 'content_type'],
  ])('%# rejects %j with the field, and writes nothing', async (body, code, field) => {
    const count = () =>
      tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('attachments').select('id').execute());
    const before = await count();
    const { status, data } = await announce(body);
    expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, code, field]);
    expect(await count()).toEqual(before);
  });
  it('limits a user to 100 unused files, even for concurrent announcements', async () => {
    const busy = await tickets.anOrganization();
    const answers = await Promise.all(Array.from({ length: 110 }, () => announce({ file_name: 'a.png', size: 1 }, asStaff(busy))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    expect(answers.filter(({ data }) => data.code === 'attachment.refused')).toHaveLength(10);
    expect((await announce({ file_name: 'a.png', size: 1 }, asStaff(busy, 'manager'))).status).toBe(201);
  });
});

describe('concurrent transfers', () => {
  /** Starts an upload and finishes it when the promise resolves. */
  const slowly = async (until: Promise<unknown>, ctx?: Context) => {
    const { data } = await announce({ file_name: 'a.bin', size: 2 }, ctx);
    async function* bytes() {
      yield Buffer.from('a');
      await until;
      yield Buffer.from('b');
    }
    const headers = { 'content-type': 'application/octet-stream', 'content-length': '2', 'x-tandem-context': gateway() };
    const body = bytes() as unknown as ReadableStream;
    const init = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit;
    const answer = fetch(`${tickets.url}${pathOf(data.upload_url)}`, init).then(({ status }) => status);
    await eventually(async () => expect((await row(data.attachment_id, ctx))?.upload_started_at).toBeTruthy());
    return answer;
  };
  it('of one organization leave upload slots for others', async () => {
    let goOn = () => {};
    const until = new Promise<void>((resolve) => (goOn = resolve));
    const slow: Promise<number>[] = [];
    for (let i = 0; i < 12; i += 1) slow.push(slowly(until));
    await eventually(async () => expect((await filesOnDisk()).filter((name) => name.endsWith('.part'))).toHaveLength(12));
    const { data } = await announce({ file_name: 'cat.png', size: png.length });
    expect(await send(data.upload_url, png)).toMatchObject({ status: 503, code: 'service.unavailable' });
    await upload(png, 'cat.png', asStaff(otherOrganization));
    goOn();
    expect(await Promise.all(slow)).toEqual(slow.map(() => 200));
    // The refused upload did not use up its link.
    expect((await send(data.upload_url, png)).status).toBe(200);
  });
  it('of all live demos together leave upload slots for others', async () => {
    const demo_ends_at = new Date(Date.now() + 3_600_000).toISOString();
    const demos = await Promise.all([1, 2, 3].map(async () => asStaff(await tickets.anOrganization({ demo_ends_at }), 'manager')));
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    const slow: Promise<number>[] = [];
    for (let i = 0; i < 12; i += 1) slow.push(slowly(until, demos[i % 2]));
    const started = (ctx: Context) =>
      tickets.db.forTenant(ctx, (tx) => tx.selectFrom('attachments').select('id').where('upload_started_at', 'is not', null).execute());
    await eventually(async () => expect((await Promise.all(demos.map(started))).map(({ length }) => length)).toEqual([6, 6, 0]));
    const { data } = await announce({ file_name: 'cat.png', size: png.length }, demos[2]);
    expect(await send(data.upload_url, png)).toMatchObject({ status: 503, code: 'service.unavailable' });
    await upload(png);
    goOn();
    expect(await Promise.all(slow)).toEqual(slow.map(() => 200));
  });
  it('of one organization leave download slots for others', async () => {
    const { url } = (await link((await upload(randomBytes(attachmentRules.maxBytes), 'large.bin')).id)).data;
    const slow = await Promise.all(Array.from({ length: 40 }, () => get(url)));
    expect(slow.map(({ status }) => status)).toEqual(slow.map(() => 200));
    expect((await get(url)).status).toBe(503);
    const theirs = await upload(png, 'cat.png', asStaff(otherOrganization));
    expect((await get((await link(theirs.id, asStaff(otherOrganization))).data.url)).status).toBe(200);
    for (const { body } of slow) await body?.cancel();
    await eventually(async () => {
      const again = await get(url);
      await again.body?.cancel();
      expect(again.status).toBe(200);
    });
  });
});

describe('signed URLs', () => {
  const token = (overrides: Partial<FileToken>, signer = tokens): string =>
    `/files/${signer.sign({ organization_id: organization.id, attachment_id: newId(), for: 'download', expires_at: soon(), ...overrides })}`;

  it('are valid for one purpose, one file, one organization and a few minutes', async () => {
    const file = await upload();
    const good = { attachment_id: file.id };
    expect((await get(token(good))).status).toBe(200);
    for (const bad of [
      token({ ...good, for: 'upload' }),
      token({ ...good, expires_at: new Date(Date.now() - 1).toISOString() }),
      token({ ...good, organization_id: otherOrganization.id }),
      token({}),
      token(good, new FileTokens([`${tickets.linkSecret}x`])),
      `${token(good)}.x`,
      token(good).slice(0, -2),
      '/files/x',
      `/files/${signContext(systemContext(organization.id, 'test'), tickets.secret)}`,
    ]) {
      const answer = await get(bad);
      expect([bad, answer.status]).toEqual([bad, 410]);
      expect(await answer.json()).toMatchObject({ code: 'file.link_expired' });
    }
  });
  it('for a download do not allow an upload', async () => {
    const { data } = await announce({ file_name: 'a.png', size: png.length });
    expect((await send(token({ attachment_id: data.attachment_id }), png)).code).toBe('file.link_expired');
    expect((await send(data.upload_url, png)).status).toBe(200);
  });
  it('require a context that the gateway has signed', async () => {
    const { data } = await announce({ file_name: 'a.png', size: png.length });
    expect((await send(data.upload_url, png, null)).code).toBe('session.required');
    expect((await send(data.upload_url, png, 'forged.context')).code).toBe('service.unavailable');
  });
  it('are created for staff of the organization, and for an unused file only for its uploader', async () => {
    const file = await upload();
    for (const stranger of [asStaff(otherOrganization), asStaff(organization, 'admin'), asToken(organization, 'tickets:read')])
      expect((await link(file.id, stranger)).data.code).toBe('attachment.not_found');
    expect((await link(newId())).data.code).toBe('attachment.not_found');
    expect((await link(file.id, asCustomer(organization.id))).status).toBe(401);
    expect((await link(file.id, asToken(organization))).status).toBe(403);
    await comment((await tickets.aTicket(organization)).id, [file.id]);
    for (const role of ['admin', 'manager', 'agent'] satisfies Role[])
      expect((await link(file.id, asStaff(organization, role))).status).toBe(200);
    expect((await link(file.id, asToken(organization, 'tickets:read'))).status).toBe(200);
    expect((await link(file.id, asStaff(otherOrganization))).data.code).toBe('attachment.not_found');
  });
  it('are not created for a file whose upload is incomplete', async () => {
    const { data } = await announce({ file_name: 'a.png', size: png.length });
    expect((await link(data.attachment_id)).data.code).toBe('attachment.not_found');
  });
});

describe('attached files', () => {
  it('appear with the comment in the response, the list and the event', async () => {
    const { id } = await tickets.aTicket(organization);
    const files = [await upload(png, 'one.png'), await upload(Buffer.from('two'), 'two.txt')];
    const { status, data } = await comment(id, files.map((file) => file.id).reverse());
    expect(status).toBe(201);
    expect(data.attachments).toEqual(files);
    const list = await tickets.call<Comment[]>(listComments, asStaff(organization), { params: { id } });
    expect(list.data[0]?.attachments).toEqual(files);
    const event = (await tickets.events(id)).find(({ type }) => type === 'ticket.comment.added');
    expect(event?.data['comment'].attachments).toEqual(files);
    expect((await tickets.call<Attachment[]>(listAttachments, asStaff(organization), { params: { id } })).data).toEqual([]);
  });
  it('appear with the ticket that was created with them', async () => {
    const file = await upload();
    const body = { ...ticketInput(), attachment_ids: [file.id] };
    const { data } = await tickets.call<Ticket>(createTicket, asStaff(organization), { body });
    const list = (ctx: Context) => tickets.call<Attachment[]>(listAttachments, ctx, { params: { id: data.id } });
    expect((await list(asStaff(organization))).data).toEqual([file]);
    expect((await list(asStaff(otherOrganization))).data.code).toBe('ticket.not_found');
    expect((await list(asToken(organization))).status).toBe(403);
  });
  it('can be attached only once, and only by their uploader', async () => {
    const { id } = await tickets.aTicket(organization);
    const file = await upload();
    const waiting = (await announce({ file_name: 'a.png', size: 5 })).data.attachment_id;
    const foreign = await upload(png, 'x.png', asStaff(organization, 'manager'));
    const other = await upload(png, 'y.png', asStaff(otherOrganization));
    for (const bad of [[waiting], [foreign.id], [other.id], [newId()], [file.id, newId()]]) {
      const { status, data } = await comment(id, bad);
      expect([status, data.code]).toEqual([422, 'attachment.not_usable']);
      expect(data.errors?.[0]?.path).toBe(`attachment_ids.${bad.length - 1}`);
    }
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created']);
    const racing = await Promise.all([
      comment(id, [file.id]),
      comment(id, [file.id]),
      comment((await tickets.aTicket(organization)).id, [file.id]),
    ]);
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });
  it('are limited to ten per comment', async () => {
    const { id } = await tickets.aTicket(organization);
    const { status, data } = await comment(
      id,
      Array.from({ length: 11 }, () => newId()),
    );
    expect([status, data.errors?.[0]?.message]).toEqual([422, 'At most 10 files']);
  });
});

describe('unused files after a day', () => {
  it('are removed with their bytes, including announced files that were never uploaded', async () => {
    const used = await upload();
    await comment((await tickets.aTicket(organization)).id, [used.id]);
    const unused = await upload();
    const young = await upload();
    const waiting = (await announce({ file_name: 'a.png', size: 5 })).data.attachment_id;
    for (const id of [used.id, unused.id, waiting]) await setAge(id, 25);
    await setAge(young.id, 23);
    await eventually(async () => expect([await row(unused.id), await row(waiting)]).toEqual([undefined, undefined]));
    const there = await filesOnDisk();
    expect([there.includes(unused.id), there.includes(used.id), there.includes(young.id)]).toEqual([false, true, true]);
    expect(await readFile(pathOnDisk(used.id))).toEqual(png);
  });
  it('are removed completely after a sweep was killed between bytes and row', async () => {
    const file = await upload();
    await rm(pathOnDisk(file.id));
    await setAge(file.id, 25);
    await eventually(async () => expect(await row(file.id)).toBeUndefined());
  });
  it('are removed together with the partial file of a killed upload', async () => {
    const { attachment_id: id } = (await announce({ file_name: 'a.png', size: 5 })).data;
    await mkdir(join(tickets.filesDirectory, organization.id), { recursive: true });
    await writeFile(`${pathOnDisk(id)}.part`, 'hal');
    await setAge(id, 25);
    await eventually(async () => expect(await row(id)).toBeUndefined());
    expect((await filesOnDisk()).filter((name) => name.startsWith(id))).toEqual([]);
  });
  it('cannot be attached once they can be removed', async () => {
    const { id } = await tickets.aTicket(organization);
    const file = await upload();
    await setAge(file.id, 24);
    expect((await comment(id, [file.id])).data.code).toBe('attachment.not_usable');
  });
  it('are removed if their ticket is deleted', async () => {
    const ticket = await tickets.aTicket(organization);
    const file = await upload();
    await comment(ticket.id, [file.id]);
    await setAge(file.id, 48);
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.deleteFrom('tickets').where('id', '=', ticket.id).execute(),
    );
    await eventually(async () => expect(await row(file.id)).toBeUndefined());
    expect(await filesOnDisk()).not.toContain(file.id);
  });
  it('do not become files of the description if their comment is deleted', async () => {
    const ticket = await tickets.aTicket(organization);
    const file = await upload();
    const { data } = await comment(ticket.id, [file.id]);
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.deleteFrom('comments').where('id', '=', data.id).execute());
    expect((await tickets.call<Attachment[]>(listAttachments, asStaff(organization), { params: { id: ticket.id } })).data).toEqual([]);
  });
});
