import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  addComment,
  analyticsExportPart,
  createCustomField,
  createExport,
  createMacro,
  createView,
  deleteExport,
  downloadExport,
  ExportManifest,
  exportLimits,
  identityExportPart,
  integrationsExportPart,
  linkExport,
  listExports,
  notificationsExportPart,
  readExport,
  recordSchemas,
  systemContext,
  updateTicket,
  type Export,
  type ExportPart,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { sha256, unzip } from '../../test/zip';
import { tandemReader } from '../import/readers/tandem';
import { TicketsDeletion } from '../attachment/tickets-deletion';
import { exportFiles } from './export-files';
import { ExportWorker } from './export.worker';

let tickets: TicketsUnderTest;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-exports-test-'));
  tickets = await TicketsUnderTest.start({ SWEEP_MS: '300', EXPORTS_DIR: folder });
});
afterAll(async () => {
  await tickets?.close();
  await rm(folder, { recursive: true });
});

const inside = <T>({ id }: TestOrganization, work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
  tickets.db.forTenant({ organization_id: id }, work);
const admin = (organization: TestOrganization) => asStaff(organization, 'admin');
const start = (organization: TestOrganization, body: object = {}) => tickets.call<Export>(createExport, admin(organization), { body });
const read = async (organization: TestOrganization, id: string) =>
  (await tickets.call<Export>(readExport, admin(organization), { params: { id } })).data;
const storedFiles = ({ id }: TestOrganization) => readdir(join(tickets.filesDirectory, id)).catch(() => [] as string[]);
const changesOf = async (organization: TestOrganization) =>
  (await tickets.eventsOf(organization)).filter(({ type }) => type === 'export.changed').map(({ data }) => data);

const partEvents = [identityExportPart, notificationsExportPart, integrationsExportPart, analyticsExportPart];
/** What the other services send: the given lines from identity, in two events, the later one first. */
async function sendParts(organization: TestOrganization, export_id: string, lines: string[] = [], events = partEvents): Promise<void> {
  const ctx = systemContext(organization.id, 'test');
  const send = (event: (typeof partEvents)[number], part: Omit<ExportPart, 'export_id'>) =>
    inside(organization, (tx) => emit(tx, ctx, event, export_id, { export_id, ...part }));
  for (const event of events) {
    const isFirst = event === identityExportPart;
    await send(event, { index: isFirst ? 1 : 0, file: null, lines: [], is_last: true });
    if (isFirst) await send(event, { index: 0, file: 'audit_log.jsonl', lines, is_last: false });
  }
}
async function exported(
  organization: TestOrganization,
  body: object = {},
  lines: string[] = [],
): Promise<{ id: string; archive: Buffer; entries: Map<string, Buffer> }> {
  const { data } = await start(organization, body);
  await sendParts(organization, data.id, lines);
  await eventually(async () => expect((await read(organization, data.id)).state).toBe('done'));
  const link = await tickets.call<{ url: string }>(linkExport, admin(organization), { params: { id: data.id } });
  const answer = await download(link.data.url);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="tandem-export-\d{4}-\d\d-\d\d\.zip"$/);
  const archive = Buffer.from(await answer.arrayBuffer());
  return { id: data.id, archive, entries: await unzip(archive) };
}
const download = (url: string) =>
  fetch(`${tickets.url}${url.replace('/api/v1', '')}`, {
    headers: {
      'x-tandem-context': signContext({ organization_id: null, actor: { type: 'customer' }, request_id: 'test' }, tickets.secret),
    },
  });
const linesOf = (entries: Map<string, Buffer>, name: string) =>
  entries
    .get(name)!
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, any>); // oxlint-disable-line typescript/no-explicit-any

describe('the archive', () => {
  const canary = 'canary-sealed-value';
  let organization: TestOrganization;
  let archive: Buffer;
  let entries: Map<string, Buffer>;
  let manifest: ExportManifest;
  let ticket_id: string;
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    const [agent, ctx] = [asStaff(organization), admin(organization)];
    await tickets.call(createCustomField, ctx, { body: { key: 'order', label: 'Order', type: 'text' } });
    await tickets.call(createMacro, agent, { body: { name: 'Thanks', content: 'Thank you, {{customer.name}}' } });
    await tickets.call(createView, agent, { body: { name: 'Mine', filter: { status: ['open'] }, is_shared: true } });
    const file = await tickets.aFile(agent, 'bytes of the file', 'fire.txt');
    const note = await tickets.aFile(agent, 'bytes of the note', 'note.txt');
    ticket_id = (
      await tickets.aTicket(organization, { subject: '=1+1, =2+2;@x', tags: ['a', '=cmd'], created_at: '2026-01-02T03:04:05.006Z' })
    ).id;
    const at = { params: { id: ticket_id } };
    await tickets.call(addComment, agent, { ...at, body: { content: 'Look at this', attachment_ids: [file.id] } });
    await tickets.call(addComment, agent, { ...at, body: { content: 'A note', is_internal: true, attachment_ids: [note.id] } });
    await tickets.call(updateTicket, agent, { ...at, body: { assigned_to: organization.agent, custom_fields: { order: '17' } } });
    await tickets.aTicket(organization, { created_at: '2025-01-02T03:04:05.006Z' });
    await inside(organization, async (tx) => {
      // More comments than a page, all at the same time.
      await sql`insert into comments (organization_id, id, ticket_id, content, is_internal, is_from_customer, customer_email, created_at)
        select ${organization.id}, gen_random_uuid(), ${ticket_id}, 'Comment ' || n, false, true, 'carla@example.com', '2030-01-01' from generate_series(1, 250) n`.execute(
        tx,
      );
      await sql`insert into mailboxes (organization_id, id, host, port, username, sealed_password, folder, is_active)
        values (${organization.id}, ${newId()}, 'imap.test', 993, 'desk', ${canary}, 'INBOX', true)`.execute(tx);
      await sql`insert into widgets (organization_id, identity_required, sealed_secret, sequence) values (${organization.id}, true, ${canary}, 1)`.execute(
        tx,
      );
      await sql`insert into surveys (organization_id, ticket_id, customer_email, rating, feedback, created_at)
        values (${organization.id}, ${ticket_id}, 'carla@example.com', 5, 'Great', '2030-01-02')`.execute(tx);
      await sql`insert into mail_originals (organization_id, ticket_id, text) values (${organization.id}, ${ticket_id}, 'The whole email')`.execute(
        tx,
      );
    });
    ({ archive, entries } = await exported(organization, {}, [JSON.stringify({ target: '=cmd' }), JSON.stringify({ target: 'b' })]));
    manifest = ExportManifest.parse(JSON.parse(entries.get('manifest.json')!.toString('utf8')));
  });

  it('has a manifest that agrees with its files, and their schemas', () => {
    expect(manifest.files.map(({ name }) => name)).toEqual(exportFiles.map(({ name }) => name));
    for (const { name, schema, lines, bytes, sha256: hash } of manifest.files) {
      const content = entries.get(name)!;
      expect({ name, lines, bytes, hash }).toEqual({
        name,
        lines: linesOf(entries, name).length,
        bytes: content.length,
        hash: sha256(content),
      });
      expect(JSON.parse(entries.get(schema)!.toString('utf8'))).toMatchObject({ type: 'object' });
    }
    expect(manifest.organization).toMatchObject({ id: organization.id });
  });

  it('has all records of the organization, in orders that do not depend on ids', () => {
    for (const { name, kind } of exportFiles)
      if (kind)
        for (const line of linesOf(entries, name))
          expect({ name, ...recordSchemas[kind].safeParse(line) }).toMatchObject({ success: true });
    expect(linesOf(entries, 'tickets.jsonl').map(({ created_at }) => created_at)).toEqual([
      '2025-01-02T03:04:05.006Z',
      '2026-01-02T03:04:05.006Z',
    ]);
    expect(linesOf(entries, 'tickets.jsonl')[1]).toMatchObject({
      key: ticket_id,
      subject: '=1+1, =2+2;@x',
      tags: ['a', '=cmd'],
      assignee: organization.agent,
      custom_fields: { order: '17' },
      survey: { rating: 5, feedback: 'Great', sent_at: null },
      open_periods: [{ opened_at: '2026-01-02T03:04:05.006Z', resolved_at: null, is_reopened: false }],
    });
    const comments = linesOf(entries, 'comments.jsonl');
    expect(new Set(comments.map(({ content }) => content)).size).toBe(252);
    expect(comments.slice(0, 2)).toMatchObject([
      { author: { kind: 'teammate', key: organization.agent }, is_internal: false },
      { author: { kind: 'teammate' }, is_internal: true },
    ]);
    expect(linesOf(entries, 'history.jsonl').map(({ kind }) => kind)).toEqual(['created', 'created', 'changed']);
    expect(linesOf(entries, 'teammates.jsonl').map(({ role }) => role)).toEqual(['admin', 'agent', 'manager']);
    expect(linesOf(entries, 'views.jsonl')).toMatchObject([{ data: { name: 'Mine', owner_id: organization.agent } }]);
    expect(linesOf(entries, 'original_emails.jsonl')).toMatchObject([{ ticket: ticket_id, text: 'The whole email' }]);
    expect(linesOf(entries, 'mailboxes.jsonl')).toEqual([
      { host: 'imap.test', port: 993, username: 'desk', folder: 'INBOX', is_active: true },
    ]);
    expect(linesOf(entries, 'audit_log.jsonl')).toEqual([{ target: '=cmd' }, { target: 'b' }]);
  });

  it('has the bytes of files, also of internal notes', () => {
    const files = linesOf(entries, 'files.jsonl');
    expect(files.map(({ entry }) => entries.get(entry as string)!.toString('utf8'))).toEqual(['bytes of the file', 'bytes of the note']);
  });

  it('is read by an import without a problem, line by line and with the bytes of its files', async () => {
    const other = await mkdtemp(join(tmpdir(), 'tandem-exports-read-'));
    const path = join(other, 'export.zip');
    await writeFile(path, archive);
    const input = {
      files: [{ file_name: 'export.zip', path, kind: null, mapping: null }],
      api: null,
      statuses: new Map(),
      priorities: new Map(),
      custom_fields: new Map([['order', 'text']]),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    const counts: Record<string, number> = {};
    for await (const item of tandemReader.read(input)) {
      if (item.type !== 'record') throw new Error(JSON.stringify(item));
      expect(recordSchemas[item.record.kind].safeParse(item.record.data)).toMatchObject({ success: true });
      counts[item.at.file] = (counts[item.at.file] ?? 0) + 1;
    }
    const written = manifest.files.filter(({ imported, lines }) => imported && lines > 0);
    expect(counts).toEqual(Object.fromEntries(written.map(({ name, lines }) => [name, lines])));
    const [file] = linesOf(entries, 'files.jsonl');
    expect(await text((await tandemReader.openEntry!(input, file!['entry'] as string))!)).toBe('bytes of the file');
    await rm(other, { recursive: true });
  });

  it('has no secret, and no text that a spreadsheet would run as a formula', () => {
    for (const [name, content] of entries) {
      expect({ name, hasSecret: content.includes(canary) }).toEqual({ name, hasSecret: false });
      if (name.endsWith('.jsonl')) expect(content.toString('utf8')).not.toMatch(/(^|[,;|\n]) *"?[=+@]/m);
    }
  });

  it('leaves no temporary files and no parts, and is announced with the admin who asked for it', async () => {
    await eventually(async () => expect(await readdir(folder)).toEqual([]));
    expect(await inside(organization, (tx) => tx.selectFrom('export_parts').select('index').execute())).toEqual([]);
    expect(await changesOf(organization)).toMatchObject([
      { what: 'created' },
      { what: 'finished', has_files: true, created_by: organization.admin },
      { what: 'downloaded' },
    ]);
  });
});

it('has no bytes of files if they are not wanted, and says so', async () => {
  const organization = await tickets.anOrganization();
  const file = await tickets.aFile(asStaff(organization));
  await tickets.aTicket(organization, { attachment_ids: [] });
  const { data } = await tickets.call<{ id: string }>(addComment, asStaff(organization), {
    params: { id: (await tickets.aTicket(organization)).id },
    body: { content: 'Look', attachment_ids: [file.id] },
  });
  expect(data.id).toBeDefined();
  const { entries } = await exported(organization, { has_files: false });
  expect(linesOf(entries, 'files.jsonl')).toMatchObject([{ file_name: 'fire.txt', entry: null }]);
  expect([...entries.keys()].filter((name) => name.startsWith('files/'))).toEqual([]);
  expect(JSON.parse(entries.get('manifest.json')!.toString('utf8'))).toMatchObject({
    left_out: expect.arrayContaining(['The bytes of files and pictures']),
  });
});

it('can be created and read by admins of the organization only', async () => {
  const [organization, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  for (const ctx of [asStaff(organization), asStaff(organization, 'manager'), asToken(organization, 'tickets:read', 'tickets:write')])
    expect((await tickets.call(createExport, ctx, { body: {} })).status).toBe(403);
  expect((await tickets.call(createExport, admin(organization), { body: { has_files: 'yes' } })).status).toBe(422);
  const { data, status } = await start(organization);
  expect({ status, state: data.state }).toEqual({ status: 201, state: 'running' });
  expect((await start(organization)).data.code).toBe('export.running');
  for (const op of [readExport, linkExport, deleteExport])
    expect((await tickets.call(op, admin(other), { params: { id: data.id } })).data.code).toBe('export.not_found');
  expect((await tickets.call<Export[]>(listExports, admin(other))).data).toEqual([]);
  expect((await tickets.call<Export[]>(listExports, admin(organization))).data).toMatchObject([{ id: data.id, size: null }]);
  expect((await tickets.call(linkExport, admin(organization), { params: { id: data.id } })).data.code).toBe('export.not_ready');
  expect((await download(downloadExport.path.replace(':token', 'x.y'))).status).toBe(410);
});

it('is limited to some per day, deleted ones included, and refused in a live demo', async () => {
  const organization = await tickets.anOrganization();
  for (let n = 0; n < exportLimits.perDay; n += 1) {
    const { data } = await start(organization);
    await tickets.call(deleteExport, admin(organization), { params: { id: data.id } });
  }
  expect((await start(organization)).data.code).toBe('export.too_many');
  const demo = await tickets.anOrganization({ demo_ends_at: '2099-01-01T00:00:00.000Z' });
  expect((await start(demo)).data.code).toBe('demo.limited');
});

it('fails if a service does not send its part in time, and names it', async () => {
  const organization = await tickets.anOrganization();
  const { data } = await start(organization);
  await sendParts(organization, data.id, [], [identityExportPart, notificationsExportPart, analyticsExportPart]);
  await eventually(async () => {
    const { missing_parts } = await inside(organization, (tx) =>
      tx.selectFrom('exports').select('missing_parts').executeTakeFirstOrThrow(),
    );
    expect(missing_parts).toEqual(['integrations']);
  });
  await inside(organization, (tx) =>
    tx
      .updateTable('exports')
      .set({ created_at: new Date(Date.now() - 61 * 60_000).toISOString() })
      .execute(),
  );
  await eventually(async () => expect((await read(organization, data.id)).state).toBe('failed'));
  expect((await changesOf(organization)).at(-1)).toMatchObject({ what: 'failed', reason: expect.stringContaining('integrations') });
});

describe('removal', () => {
  it('removes the archive when it is deleted, when it expires, and with the organization', async () => {
    const organization = await tickets.anOrganization();
    const first = await exported(organization);
    expect(await storedFiles(organization)).toHaveLength(1);
    expect((await tickets.call(deleteExport, admin(organization), { params: { id: first.id } })).status).toBe(200);
    expect((await tickets.call<Export[]>(listExports, admin(organization))).data).toEqual([]);
    await eventually(async () => expect(await storedFiles(organization)).toEqual([]));

    const second = await exported(organization);
    await inside(organization, (tx) =>
      tx.updateTable('exports').set({ expires_at: '2020-01-01T00:00:00.000Z' }).where('id', '=', second.id).execute(),
    );
    await eventually(async () => expect(await read(organization, second.id)).toMatchObject({ state: 'expired', size: null }));
    expect(await storedFiles(organization)).toEqual([]);

    await exported(organization);
    expect(await storedFiles(organization)).toHaveLength(1);
    await tickets.app.get(TicketsDeletion).beforeRows({ ...systemContext(organization.id, 'test') });
    expect(await storedFiles(organization)).toEqual([]);
  });

  it('removes what an interrupted run has stored, and stores the archive once', async () => {
    const organization = await tickets.anOrganization();
    const worker = tickets.app.get(ExportWorker);
    const { data } = await start(organization);
    // An earlier run has stored a piece.
    const piece = await tickets.aFile(asStaff(organization), 'half of an archive');
    await inside(organization, (tx) =>
      tx
        .updateTable('exports')
        .set({ run_id: newId(), pieces: JSON.stringify([{ id: piece.id, size: 18 }]) })
        .execute(),
    );
    await sendParts(organization, data.id);
    await eventually(async () => expect((await read(organization, data.id)).state).toBe('done'));
    const stored = await storedFiles(organization);
    expect(stored).toHaveLength(1);
    expect(stored).not.toContain(piece.id);
    await worker.write({ ...systemContext(organization.id, 'test') }, { export_id: data.id }, { last: false });
    expect(await storedFiles(organization)).toEqual(stored);
    expect((await changesOf(organization)).filter(({ what }) => what === 'finished')).toHaveLength(1);
  });
});
