import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  announceImportFile, cancelImport, checkImport, createImport, createTicket, listComments, listImportProblems, listImports, previewImport, readImport,
  readTicket, readTimeline, removeImportFile, startImport, undoImport, updateImport, updateTicket, type Activity, type Comment, type Context, type Import,
  type ImportPreview, type ImportProblem, type ImportRecord, type Operation, type Ticket,
} from '@tandem/contracts'; // prettier-ignore
import type { Database } from '@tandem/db';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { TicketsSchema } from '../schema';
import type { ImportReader, SourceItem } from './import-reader';
import { ImportWorker } from './import.worker';
import { importReaders } from './readers';
import { batchLimits } from './ticket-batch';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let other: TestOrganization;
/** What the reader of the tests yields. */
let items: () => Iterable<SourceItem>;
const files = new Map<string, Buffer>();
const before = { ...importReaders };
const reader: ImportReader = {
  source: 'zendesk',
  async *read(input) {
    input.onProgress(1, 2);
    yield* await Promise.resolve(items());
  },
  openEntry: (_, entry) => Promise.resolve(files.has(entry) ? Readable.from([files.get(entry)!]) : undefined),
};

beforeAll(async () => {
  Object.assign(importReaders, { zendesk: reader, freshdesk: { ...reader, source: 'freshdesk' }, tandem: { ...reader, source: 'tandem' } });
  tickets = await TicketsUnderTest.start();
});
beforeEach(async () => {
  organization = await tickets.anOrganization();
  other = await tickets.anOrganization();
  files.clear();
});
afterAll(async () => {
  await tickets?.close();
  for (const name of Object.keys(importReaders)) delete importReaders[name as keyof typeof importReaders];
  Object.assign(importReaders, before);
});

const admin = (of = organization) => asStaff(of, 'admin');
const call = <T = Import>(op: Operation, id: string | undefined, body?: unknown, ctx: Context = admin(), query?: Record<string, string>) =>
  tickets.call<T>(op, ctx, { params: id === undefined ? {} : { id }, body, ...(query ? { query } : {}) });
const at = (minute: number) => new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString();

type Data<K extends ImportRecord['kind']> = Extract<ImportRecord, { kind: K }>['data'];
const record = (kind: ImportRecord['kind'], data: object): SourceItem => ({
  type: 'record',
  record: { kind, data } as ImportRecord,
  at: { file: `${kind}s.json`, line: 1 },
});
const aTicket = (key: string, overrides: Partial<Data<'ticket'>> = {}): SourceItem =>
  record('ticket', {
    key, number: key, subject: `Subject ${key}`, description: 'Text', status: 'open', priority: 'high', category: null, tags: ['vip'], channel: 'email',
    customer: { email: 'Carla@Example.com', name: null }, cc: [], language: null, assignee: null, custom_fields: {}, created_at: at(Number(key) || 0),
    updated_at: at(5_000), resolved_at: null, url: `https://acme.zendesk.test/agent/tickets/${key}`, ...overrides,
  }); // prettier-ignore
const aComment = (key: string, ticket: string, overrides: Partial<Data<'comment'>> = {}): SourceItem =>
  record('comment', {
    key,
    ticket,
    author: { kind: 'customer', email: null },
    is_internal: false,
    content: `Comment ${key}`,
    created_at: at(100),
    ...overrides,
  });
const teammate = (key: string, email: string | null, first_name = 'Rick'): SourceItem =>
  record('teammate', { key, email, first_name, last_name: 'Roe' });

/** Announces and uploads a file, without which nothing is checked. */
async function prepared(source: Import['source'] = 'zendesk', ctx = admin()): Promise<string> {
  const { data } = await call(createImport, undefined, { source }, ctx);
  const { data: file } = await call<{ upload_url: string }>(announceImportFile, data.id, { file_name: 'export.zip', size: 4 }, ctx);
  expect((await put(file.upload_url, 'data')).status).toBe(200);
  return data.id;
}
const put = (url: string, bytes: string) =>
  fetch(`${tickets.url}${url.replace('/api/v1', '')}`, {
    method: 'PUT', body: bytes, headers: { 'content-type': 'application/octet-stream', 'x-tandem-context': signContext(asCustomer(null), tickets.secret) },
  }); // prettier-ignore
const inState = async (id: string, state: Import['state'], ctx = admin()): Promise<Import> => {
  let found: Import | undefined;
  await eventually(async () => {
    found = (await call(readImport, id, undefined, ctx)).data;
    expect([found.state, found.failure]).toEqual([state, null]);
  });
  return found!;
};
async function checked(source: Import['source'] = 'zendesk', options = {}): Promise<Import> {
  const id = await prepared(source);
  if (Object.keys(options).length > 0) expect((await call(updateImport, id, { options })).status).toBe(200);
  expect((await call(checkImport, id)).status).toBe(200);
  return inState(id, 'ready');
}
async function imported(source: Import['source'] = 'zendesk', options = {}): Promise<Import> {
  const { id } = await checked(source, options);
  expect((await call(startImport, id)).status).toBe(200);
  return inState(id, 'done');
}
const stored = () =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('tickets').selectAll().orderBy('created_at').execute());
const events = async (type: string) => (await tickets.eventsOf(organization)).filter((event) => event.type === type);

it('creates tickets with their numbers, times, authors, comments and files, silently', async () => {
  files.set('a.txt', Buffer.from('A picture of the fire'));
  items = () => [
    teammate('7', 'admin@acme.test'),
    teammate('8', 'rick@old.test'),
    record('customer', { key: '1', email: 'carla@example.com', name: 'Carla Jay' }),
    aTicket('12', { assignee: '7', status: 'resolved', resolved_at: at(4_000) }),
    aTicket('3', { assignee: '8' }),
    aComment('a', '12', { created_at: at(100) }),
    aComment('b', '12', { created_at: at(100), author: { kind: 'teammate', key: '7' } }),
    aComment('c', '12', { created_at: at(100), author: { kind: 'teammate', key: '8' }, is_internal: true }),
    record('file', {
      key: 'f',
      ticket: '12',
      comment: 'a',
      article: null,
      file_name: 'fire.txt',
      size: null,
      entry: 'a.txt',
      url: null,
      created_at: at(100),
    }),
    record('file', {
      key: 'g',
      ticket: '12',
      comment: null,
      article: null,
      file_name: 'gone.txt',
      size: null,
      entry: 'b.txt',
      url: null,
      created_at: at(100),
    }),
  ];
  const done = await imported();
  expect(done).toMatchObject({ counts: { ticket: { found: 2, created: 2, existing: 0, failed: 0 }, comment: { created: 3 }, file: { created: 1, failed: 1 } }, problems: { 'file.missing': 1 }, undo_until: expect.any(String), progress: null }); // prettier-ignore
  const [first, second] = await stored();
  expect(first).toMatchObject({ ticket_number: expect.stringMatching(/-0003$/), assigned_to: null, customer_name: 'Carla Jay', customer_email: 'carla@example.com', external_id: 'zendesk-3', created_at: at(3), version: 1, imported_at: expect.any(String) }); // prettier-ignore
  expect(second).toMatchObject({ ticket_number: expect.stringMatching(/-0012$/), assigned_to: organization.admin, status: 'resolved', resolved_at: at(4_000), comment_count: 3, public_reply_count: 1, customer_replied_last: false, first_response_at: at(100).replace('.000', '.001'), last_comment_at: at(100).replace('.000', '.002') }); // prettier-ignore
  const { data: comments } = await call<Comment[]>(listComments, second!.id);
  expect(comments.map(({ content, user_id, customer_email, imported_author, attachments }) => [content, user_id, customer_email, imported_author?.name, attachments.length])).toEqual([
    ['Comment a', null, 'carla@example.com', undefined, 1], ['Comment b', organization.admin, null, undefined, 0], ['Comment c', null, null, 'Rick Roe', 0],
  ]); // prettier-ignore
  const { data: timeline } = await call<Activity[]>(readTimeline, second!.id);
  expect(timeline).toMatchObject([{ kind: 'imported', user_id: organization.admin, changes: { imported_from: { to: { source: 'zendesk', number: '12', url: expect.stringContaining('/12') } } } }]); // prettier-ignore
  expect((await call<Ticket>(createTicket, undefined, { subject: 'Next', customer_email: 'c@example.com' })).data.ticket_number).toMatch(
    /-0013$/,
  );
  const types = (await tickets.eventsOf(organization)).map(({ type }) => type);
  expect([...new Set(types)].sort()).toEqual(['import.changed', 'ticket.created', 'ticket.histories', 'tickets.imported']);
});

it('lists all problems before anything is created, and maps people and values', async () => {
  const long = 'x'.repeat(300);
  items = () => [
    aTicket('1', { subject: long, tags: ['a', 'a', 'b\0'] }),
    aTicket('1'),
    aTicket('2', { customer: { email: 'no address', name: null } }),
    aTicket('3', { created_at: '2124-01-01T00:00:00Z' }),
    aTicket('4', { merged_into: '5' }),
    aTicket('5', { merged_into: '4' }),
    aTicket('6', { custom_fields: { order: 'x' }, status: 'lost' as never }),
    aComment('a', '404'),
    aComment('b', '1', { created_at: at(0) }),
    { type: 'value', field: 'status', value: 'On hold', suggestion: 'waiting_for_customer' },
    {
      type: 'problem',
      problem: { code: 'line.unreadable', kind: 'ticket', key: null, field: null, value: '{' },
      at: { file: 'tickets.json', line: 9 },
    },
    teammate('7', 'AGENT@acme.test'),
  ];
  await tickets.aTicket(organization);
  const ready = await checked();
  expect(await stored()).toHaveLength(1);
  expect(ready.problems).toEqual({ 'value.shortened': 1, 'id.repeated': 1, 'email.invalid': 1, 'time.invalid': 1, 'value.left_out': 2, 'value.invalid': 1, 'parent.missing': 1, 'time.order': 1, 'line.unreadable': 1, 'number.taken': 1 }); // prettier-ignore
  expect(ready.counts).toMatchObject({ ticket: { found: 8, failed: 5 }, comment: { found: 2, failed: 1 } });
  expect(ready.teammates).toEqual([{ key: '7', name: 'Rick Roe', email: 'AGENT@acme.test', user_id: organization.agent }]);
  expect(ready.statuses).toEqual([{ value: 'On hold', tickets: 1, to: 'waiting_for_customer' }]);
  const { data: problems, pagination } = await call<ImportProblem[]>(listImportProblems, ready.id, undefined, admin(), { limit: '3' });
  expect([pagination.total, problems[0]]).toEqual([11, { code: 'value.shortened', kind: 'ticket', key: '1', file: 'tickets.json', line: 1, field: 'subject', value: long.slice(0, 100) }]); // prettier-ignore
  const orphan = await call<ImportProblem[]>(listImportProblems, ready.id, undefined, admin(), { code: 'parent.missing' });
  expect(orphan.data).toMatchObject([{ kind: 'comment', key: 'a' }]);
  const { data: preview } = await call<ImportPreview[]>(previewImport, ready.id);
  expect(preview.map(({ ticket, comment_count }) => [ticket.key, ticket.subject.length, ticket.tags, comment_count])).toEqual([['1', 255, ['a', 'b'], 1], ['4', 9, ['vip'], 0], ['5', 9, ['vip'], 0]]); // prettier-ignore
  const changed = await call(updateImport, ready.id, {
    teammates: [{ key: '7', user_id: null }],
    statuses: [{ value: 'On hold', to: 'open' }],
  });
  expect(changed.data).toMatchObject({ state: 'preparing', teammates: [{ user_id: null }], statuses: [{ to: 'open' }] });
  expect((await call(updateImport, ready.id, { teammates: [{ key: '7', user_id: other.agent }] })).data).toMatchObject({
    code: 'assignee.not_a_member',
  });
});

it('creates nothing twice: in a second import, or after it was stopped between batches', async () => {
  const count = 6;
  items = () => Array.from({ length: count }, (_, i) => [aTicket(String(i + 1)), aComment(`c${i}`, String(i + 1))]).flat();
  batchLimits.tickets = 2;
  try {
    const { id } = await checked();
    // The worker is stopped after a batch, and another one continues.
    const worker = tickets.app.get(ImportWorker);
    const ctx = admin();
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('imports').set({ state: 'importing', position: JSON.stringify({ step: 'numbers', after: null, next_number: 0 }) }).where('id', '=', id).execute(),
    ); // prettier-ignore
    const failing = failAfterBatches(1);
    await expect(worker.run(ctx as never, { import_id: id })).rejects.toThrow('killed');
    failing.end();
    expect(await stored()).toHaveLength(2);
    await worker.run(ctx as never, { import_id: id });
    expect((await inState(id, 'done')).counts).toMatchObject({ ticket: { created: count, existing: 0 }, comment: { created: count } });
    const ids = (await stored()).map((ticket) => ticket.id);
    const again = await imported();
    expect(again.counts).toMatchObject({ ticket: { created: 0, existing: count }, comment: { created: 0, existing: count } });
    expect((await stored()).map((ticket) => ticket.id)).toEqual(ids);
    // The same account in another help desk is not the same source.
    expect((await imported('freshdesk')).counts.ticket).toMatchObject({ created: count });
  } finally {
    batchLimits.tickets = 200;
  }
});

/** Lets the transaction after some batches fail when it has written everything. */
function failAfterBatches(batches: number): { end(): void } {
  const { db } = tickets.app.get(ImportWorker) as unknown as { db: Database<TicketsSchema> };
  const original = db.forTenant.bind(db);
  let done = 0;
  db.forTenant = (ctx, work) =>
    original(ctx, async (tx) => {
      const result = await work(tx);
      const row = await tx.selectFrom('imports').select('position').where('state', '=', 'importing').executeTakeFirst();
      const isTickets = row?.position?.step === 'ticket' && row.position.after !== null;
      if (result === 'more' && isTickets && (done += 1) > batches) throw new Error('killed');
      return result;
    });
  return { end: () => Reflect.deleteProperty(db, 'forTenant') };
}

it('undoes what was not changed since', async () => {
  files.set('a.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  items = () => [
    ...['1', '2', '3', '4'].map((key) => aTicket(key)),
    aComment('a', '1'),
    record('article_category', { key: 'c', name: 'Payments', description: null, position: 1 }),
    record('article', { key: 'x', title: 'Refunds', summary: null, body: '![Page](a.png)', language: 'en', category: 'c', visibility: 'public', state: 'published', created_at: at(1), updated_at: at(2) }), // prettier-ignore
    record('file', {
      key: 'p',
      ticket: null,
      comment: null,
      article: 'x',
      file_name: 'a.png',
      size: null,
      entry: 'a.png',
      url: null,
      created_at: at(1),
    }),
  ];
  const { id, counts } = await imported();
  expect(counts).toMatchObject({ article: { created: 1 }, article_category: { created: 1 }, file: { created: 1 } });
  const [first, second, third] = await stored();
  await call(updateTicket, second!.id, { priority: 'low' });
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.insertInto('drafts').values({ organization_id: organization.id, user_id: organization.agent, ticket_id: third!.id, content: 'Unsent', is_internal: false, updated_at: at(1), token: null }).execute(),
  ); // prettier-ignore
  expect((await call(undoImport, id)).status).toBe(200);
  expect(await inState(id, 'undone')).toMatchObject({ kept_count: 2, undo_until: null });
  expect((await stored()).map((ticket) => ticket.id)).toEqual([second!.id, third!.id]);
  expect((await call(readTicket, first!.id)).status).toBe(404);
  expect((await events('tickets.deleted')).flatMap(({ data }) => data['ticket_ids'])).toHaveLength(2);
  const left = await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => [
    ...(await tx.selectFrom('articles').select('id').where('organization_id', '=', organization.id).execute()), ...(await tx.selectFrom('article_categories').select('id').execute()), ...(await tx.selectFrom('article_pictures').select('id').where('organization_id', '=', organization.id).execute()),
  ]); // prettier-ignore
  expect(left).toEqual([]);
  expect((await call(undoImport, id)).data).toMatchObject({ code: 'import.state' });
  // It can be imported again.
  expect((await imported()).counts.ticket).toMatchObject({ created: 2, existing: 2 });
});

it('imports our own export: history, merges, periods, surveys and settings, with ids of this organization', async () => {
  const uuid = (text: string) =>
    createHash('md5')
      .update(text)
      .digest('hex')
      .replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, '$1-$2-4$3-8$4-$5');
  const foreign = uuid('rick');
  items = () => [
    teammate(foreign, 'agent@acme.test'),
    record('custom_field', { key: 'order', type: 'text', label: 'Order', hint: null, options: [], categories: [], form: 'hidden', shown_to_customers: false, set_by_widget: false, required_to_resolve: false, translations: {}, position: 1 }), // prettier-ignore
    record('canned_reply', { key: 'm', data: { name: 'Hello', content: 'Hi', translations: {}, is_internal: false, changes: { assigned_to: foreign }, is_shared: true, owner_id: foreign } }), // prettier-ignore
    record('view', { key: 'v', data: { name: 'Mine', filter: { assignee: foreign }, is_shared: true, owner_id: 'unknown' } }),
    record('rule', { key: 'r', data: { name: 'Route', triggers: ['ticket_created'], time: null, condition: { all: [] }, actions: [{ type: 'assign', to: foreign }], stops: false, runs: 'every_time', is_active: true } }), // prettier-ignore
    record('sla_policy', { key: 's', data: { name: 'Fast', priority_level: 'urgent', response_time_hours: 1, resolution_time_hours: 2, escalation_enabled: false, escalation_time_hours: 4, is_active: true } }), // prettier-ignore
    aTicket('1', { key: uuid('1'), number: 'OLD-0001', custom_fields: { order: 'A1' }, status: 'closed', resolved_at: at(300), merged_into: uuid('2'), external_id: 'crm-1', open_periods: [{ opened_at: at(1), resolved_at: at(200), is_reopened: false }, { opened_at: at(250), resolved_at: at(300), is_reopened: true }], survey: { sent_at: at(301), rating: 5, feedback: 'Good', answered_at: at(302) } }), // prettier-ignore
    aTicket('2', { key: uuid('2'), number: 'OLD-0002' }),
    record('history', { key: uuid('h'), ticket: uuid('2'), kind: 'merged', actor_type: 'user', teammate: foreign, token: null, rule: null, changes: { merged: { from: null, to: { id: uuid('1'), ticket_number: 'OLD-0001' } } }, created_at: at(50) }), // prettier-ignore
  ];
  const done = await imported('tandem');
  expect(done.problems).toEqual({});
  expect(done.counts).toMatchObject({ custom_field: { created: 1 }, canned_reply: { created: 1 }, view: { created: 1 }, rule: { created: 1 }, sla_policy: { created: 1 }, history: { created: 1 } }); // prettier-ignore
  const [first, second] = await stored();
  expect(first).toMatchObject({
    merged_into_id: second!.id,
    external_id: 'crm-1',
    reopen_count: 1,
    custom_fields: { order: 'A1' },
    version: 1,
  });
  expect([first!.id, second!.id]).not.toContain(uuid('1'));
  const { data: timeline } = await call<Activity[]>(readTimeline, second!.id);
  expect(timeline[0]).toMatchObject({ kind: 'merged', user_id: organization.agent, changes: { merged: { to: { id: first!.id } } } });
  const settings = await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => ({
    macro: await tx.selectFrom('macros').selectAll().executeTakeFirst(), view: await tx.selectFrom('views').selectAll().executeTakeFirst(),
    rule: await tx.selectFrom('rules').selectAll().executeTakeFirst(), survey: await tx.selectFrom('surveys').selectAll().executeTakeFirst(),
  })); // prettier-ignore
  expect(settings).toMatchObject({ macro: { owner_id: organization.agent, changes: { assigned_to: organization.agent } }, view: { owner_id: organization.admin, filter: { assignee: organization.agent } }, rule: { is_active: false, actions: [{ to: organization.agent }] }, survey: { rating: 5 } }); // prettier-ignore
  const histories = (await events('ticket.histories')).at(-1)!.data['histories'] as { ticket: { id: string }; moments: object[] }[];
  expect(histories.find(({ ticket }) => ticket.id === first!.id)!.moments).toHaveLength(3);
  expect((await call(undoImport, done.id)).status).toBe(200);
  expect(await inState(done.id, 'undone')).toMatchObject({ kept_count: 0 });
  expect(await stored()).toEqual([]);
});

it('stops when it is cancelled, and runs one import at a time', async () => {
  let release = () => {};
  const wait = new Promise<void>((resolve) => (release = resolve));
  items = () => [aTicket('1')];
  const { id: second } = await checked();
  const original = reader.read.bind(reader);
  Object.assign(importReaders.zendesk, {
    async *read(input: never) {
      await wait;
      yield* original(input);
    },
  });
  const id = await prepared();
  expect((await call(checkImport, id)).data).toMatchObject({ state: 'checking' });
  for (const op of [startImport, checkImport]) expect((await call(op, second)).data).toMatchObject({ code: 'import.active' });
  expect((await call(updateImport, id, { options: { files: false } })).data).toMatchObject({ code: 'import.state' });
  expect((await call(cancelImport, id)).data).toMatchObject({ state: 'cancelled', undo_until: null });
  release();
  Object.assign(importReaders.zendesk, { read: original });
  await call(startImport, second);
  await inState(second, 'done');
  expect((await call(readImport, id)).data).toMatchObject({ state: 'cancelled', counts: {} });
  const changes = (await events('import.changed')).map(({ data }) => data['what']);
  expect(changes).toEqual(['created', 'created', 'cancelled', 'started', 'finished']);
});

it('accepts each upload once, with exactly the announced size, and files can be removed', async () => {
  items = () => [aTicket('1')];
  const { data } = await call(createImport, undefined, { source: 'zendesk' });
  const announce = (body: object = {}) =>
    call<{ file_id: string; upload_url: string }>(announceImportFile, data.id, { file_name: 'a.zip', size: 4, ...body });
  expect((await call(checkImport, data.id)).data).toMatchObject({ code: 'import.no_file' });
  const { data: wrong } = await announce();
  expect((await put(wrong.upload_url, 'too long')).status).toBe(422);
  const { data: file } = await announce();
  expect((await put(file.upload_url, 'data')).status).toBe(200);
  expect((await put(file.upload_url, 'data')).status).toBe(410);
  expect((await put(file.upload_url.slice(0, -3), 'data')).status).toBe(410);
  expect((await call(readImport, data.id)).data).toMatchObject({ name: 'a.zip', files: [{ id: file.file_id, is_uploaded: true }] });
  const remove = (file_id: string, ctx = admin()) => tickets.call(removeImportFile, ctx, { params: { id: data.id, file_id } });
  expect((await remove(file.file_id, admin(other))).status).toBe(404);
  expect((await remove(file.file_id)).status).toBe(200);
  expect((await call(readImport, data.id)).data).toMatchObject({ files: [] });
  for (let i = 0; i < 8; i++) expect((await announce()).status).toBe(201);
  expect((await announce()).data).toMatchObject({ code: 'import.too_many_files' });
  for (const size of [0, 3 * 1024 ** 3]) expect((await announce({ size })).status).toBe(422);
});

it('is for admins of the organization only', async () => {
  items = () => [aTicket('1')];
  const { id } = await checked();
  const byId = [readImport, previewImport, listImportProblems, checkImport, startImport, cancelImport, undoImport] as Operation[];
  const bodies = [
    [updateImport, { options: { files: false } }],
    [announceImportFile, { file_name: 'a', size: 1 }],
  ] as [Operation, object][];
  for (const [op, body] of [...byId.map((each): [Operation, undefined] => [each, undefined]), ...bodies]) {
    expect([op.name, (await call(op, id, body, admin(other))).status]).toEqual([op.name, 404]);
    for (const ctx of [asStaff(organization, 'manager'), asStaff(organization), asToken(organization, 'tickets:write')])
      expect([op.name, (await call(op, id, body, ctx)).status]).toEqual([op.name, 403]);
  }
  expect((await call<Import[]>(listImports, undefined, undefined, admin(other))).data).toEqual([]);
  expect((await call<Import[]>(listImports, undefined)).data.map((each) => each.id)).toEqual([id]);
  expect((await call(listImports, undefined, undefined, asStaff(organization))).status).toBe(403);
  for (const body of [{}, { source: 'x' }, { source: 'chatwoot' }, { source: 'zammad', address: 'ftp://a.test', token: 't' }])
    expect((await call(createImport, undefined, body)).status).toBe(422);
  for (const body of [{}, { options: { files: 'yes' } }, { statuses: [{ value: 'x', to: 'lost' }] }])
    expect((await call(updateImport, id, body)).status).toBe(422);
  const { data } = await call(createImport, undefined, { source: 'zammad', address: 'https://help.acme.test/', token: 'secret' });
  expect(data).toMatchObject({ name: 'help.acme.test', address: 'https://help.acme.test' });
  expect(JSON.stringify(data)).not.toContain('secret');
});

it('reads 10,000 tickets with bounded memory', async () => {
  const text = 'x'.repeat(5_000);
  items = function* () {
    for (let i = 1; i <= 10_000; i++) yield aTicket(String(i), { description: text });
  };
  global.gc?.();
  const used = process.memoryUsage().heapUsed;
  const ready = await checked();
  expect(ready.counts.ticket).toMatchObject({ found: 10_000, failed: 0 });
  expect(process.memoryUsage().heapUsed - used).toBeLessThan(300 * 1024 * 1024);
  await call(cancelImport, ready.id);
}, 60_000);
