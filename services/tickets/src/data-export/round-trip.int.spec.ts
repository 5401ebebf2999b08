import {
  addComment,
  analyticsExportPart,
  announceImportFile,
  checkImport,
  createArticle,
  createArticleCategory,
  createCustomField,
  createExport,
  createImport,
  createMacro,
  createRule,
  createSlaPolicy,
  createView,
  identityExportPart,
  integrationsExportPart,
  linkExport,
  listTickets,
  mergeTicket,
  notificationsExportPart,
  publishArticle,
  readExport,
  readImport,
  readTicket,
  startImport,
  submitSurvey,
  systemContext,
  updateArticle,
  updateTicket,
  type Article,
  type ArticleCategory,
  type Export,
  type Import,
  type Ticket,
} from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { anonymizeTickets } from '../retention/anonymize-tickets.store';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { unzip } from '../../test/zip';
import { exportFiles } from './export-files';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => tickets?.close());

const admin = (organization: TestOrganization) => asStaff(organization, 'admin');
const customerContext = { organization_id: null, actor: { type: 'customer' as const }, request_id: 'test' };

async function exported(organization: TestOrganization): Promise<Buffer> {
  const { data } = await tickets.call<Export>(createExport, admin(organization), { body: {} });
  const ctx = systemContext(organization.id, 'test');
  for (const event of [identityExportPart, notificationsExportPart, integrationsExportPart, analyticsExportPart])
    await tickets.db.forTenant(ctx, (tx) =>
      emit(tx, ctx, event, data.id, { export_id: data.id, index: 0, file: null, lines: [], is_last: true }),
    );
  await eventually(async () =>
    expect((await tickets.call<Export>(readExport, admin(organization), { params: { id: data.id } })).data.state).toBe('done'),
  );
  const link = await tickets.call<{ url: string }>(linkExport, admin(organization), { params: { id: data.id } });
  const headers = { 'x-tandem-context': signContext(customerContext, tickets.secret) };
  return Buffer.from(await (await fetch(`${tickets.url}${link.data.url.replace('/api/v1', '')}`, { headers })).arrayBuffer());
}

async function imported(organization: TestOrganization, archive: Buffer): Promise<Import> {
  const ctx = admin(organization);
  const { data } = await tickets.call<Import>(createImport, ctx, { body: { source: 'tandem' } });
  const params = { id: data.id };
  const file = { file_name: 'export.zip', size: archive.length };
  const { upload_url } = (await tickets.call<{ upload_url: string }>(announceImportFile, ctx, { params, body: file })).data;
  const headers = { 'content-type': 'application/octet-stream', 'x-tandem-context': signContext(customerContext, tickets.secret) };
  const uploaded = await fetch(`${tickets.url}${upload_url.replace('/api/v1', '')}`, {
    method: 'PUT',
    headers,
    body: new Uint8Array(archive),
  });
  expect(uploaded.status).toBe(200);
  const until = (state: Import['state']) =>
    eventually(async () => {
      const current = (await tickets.call<Import>(readImport, ctx, { params })).data;
      expect([current.state, current.failure]).toEqual([state, null]);
      return current;
    });
  expect((await tickets.call(checkImport, ctx, { params })).status).toBe(200);
  const checked = await until('ready');
  expect(checked.problems).toEqual({});
  expect((await tickets.call(startImport, ctx, { params })).status).toBe(200);
  return until('done');
}

/** An organization with every kind of record that an import reads. */
async function anOrganizationWithEverything(): Promise<TestOrganization> {
  const organization = await tickets.anOrganization();
  const [agent, ctx] = [asStaff(organization), admin(organization)];
  const post = async <T = { id: string }>(op: Parameters<typeof tickets.call>[0], body: object, params: Record<string, string> = {}) => {
    const answer = await tickets.call<T>(op, ctx, { params, body });
    if (answer.status >= 300) throw new Error(`${op.name}: ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  await post(createCustomField, { key: 'order', label: 'Order', type: 'text' });
  await post(createCustomField, { key: 'size', label: 'Size', type: 'choices', options: [{ value: 's', label: 'S' }, { value: 'l', label: 'L' }] }); // prettier-ignore
  await post(createSlaPolicy, { name: 'Fast', priority_level: 'high' });
  await tickets.call(createMacro, agent, { body: { name: 'Thanks', content: 'Thank you', changes: { assigned_to: organization.agent } } });
  await post(createView, { name: 'Mine', filter: { status: ['open'] }, is_shared: true });
  await post(createRule, {
    name: 'R',
    triggers: ['ticket_created'],
    actions: [{ type: 'assign', to: organization.agent }],
    is_active: false,
  });
  const category = await post<ArticleCategory>(createArticleCategory, { name: 'Basics', description: 'Start here' });
  const article = await post<Article>(createArticle, { title: 'How to', body: 'Text', category_id: category.id, visibility: 'public' });
  await post(publishArticle, { version: article.version }, { id: article.id });
  await post(updateArticle, { body: 'Draft of the next version' }, { id: article.id });
  await post(createArticle, { title: 'A draft', body: '' });
  await writeTickets(organization);
  return organization;
}

async function writeTickets(organization: TestOrganization): Promise<void> {
  const agent = asStaff(organization);
  const description = 'It began, =at noon.';
  const first = await tickets.aTicket(organization, { description, tags: ['b', 'a'], created_at: '2025-03-04T05:06:07.008Z' });
  const second = await tickets.aTicket(organization, { customer_name: null, created_at: '2025-03-04T05:06:07.008Z' });
  const duplicate = await tickets.aTicket(organization, { created_at: '2025-05-04T05:06:07.008Z' });
  const at = (ticket: Ticket) => ({ params: { id: ticket.id } });
  const file = await tickets.aFile(agent, 'bytes of the file', 'fire.txt');
  const comment = { content: 'Look @Ada', attachment_ids: [file.id], mentions: [organization.manager] };
  expect((await tickets.call(addComment, agent, { ...at(first), body: comment })).status).toBe(201);
  await tickets.call(addComment, agent, { ...at(first), body: { content: 'A note', is_internal: true } });
  const changes = {
    assigned_to: organization.agent,
    custom_fields: { order: '17', size: ['l', 's'] },
    cc: ['cc@example.com'],
    language: 'de',
  };
  expect((await tickets.call(updateTicket, agent, { ...at(first), body: changes })).status).toBe(200);
  for (const status of ['resolved', 'open', 'resolved']) await tickets.call(updateTicket, agent, { ...at(first), body: { status } });
  await tickets.call(submitSurvey, asCustomer(organization.id), {
    ...at(first),
    body: { email: first.customer_email, rating: 4, feedback: 'Good' },
  });
  await tickets.call(addComment, agent, { ...at(duplicate), body: { content: 'Of the duplicate' } });
  expect((await tickets.call(mergeTicket, agent, { ...at(duplicate), body: { into_id: second.id } })).status).toBe(200);
  const old = await tickets.aTicket(organization, { created_at: '2025-06-04T05:06:07.008Z' });
  await tickets.call(addComment, agent, { ...at(old), body: { content: 'Sorry' } });
  await tickets.call(updateTicket, agent, { ...at(old), body: { status: 'resolved' } });
  await tickets.db.forTenant(systemContext(organization.id, 'test'), (tx) => anonymizeTickets(tx, organization.id, [old.id]));
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The files that an import reads, with each ID replaced by its place in the order of first appearance. */
async function comparable(archive: Buffer): Promise<Record<string, string[]>> {
  const entries = await unzip(archive);
  const places = new Map<string, number>();
  const placeOf = (id: string) => {
    if (!places.has(id)) places.set(id, places.size);
    return `#${places.get(id)}`;
  };
  const files = exportFiles.filter(({ imported: isImported }) => isImported);
  return Object.fromEntries(files.map(({ name }) => [name, entries.get(name)!.toString('utf8').replaceAll(uuid, placeOf).split('\n')]));
}

it('exports an imported export equal byte by byte, apart from ids', async () => {
  const [organization, other] = [await anOrganizationWithEverything(), await tickets.anOrganization()];
  const before = await exported(organization);
  const result = await imported(other, before);
  for (const counts of Object.values(result.counts)) expect(counts).toMatchObject({ failed: 0 });
  const copies = await tickets.call<Ticket[]>(listTickets, asStaff(other), { query: { search: 'Anonymized ticket' } });
  expect(copies.data).toMatchObject([{ comment_count: 1, status: 'resolved' }]);
  const [{ id }] = copies.data as [Ticket];
  expect((await tickets.call<Ticket>(readTicket, asStaff(other), { params: { id } })).data.anonymized_at).not.toBeNull();
  const after = await exported(other);
  const [first, second] = [await comparable(before), await comparable(after)];
  for (const name of Object.keys(first)) expect({ name, lines: second[name] }).toEqual({ name, lines: first[name] });
  const [a, b] = [await unzip(before), await unzip(after)];
  const bytesOf = (entries: Map<string, Buffer>) =>
    [...entries].filter(([name]) => name.startsWith('files/')).map(([, bytes]) => bytes.toString());
  expect(bytesOf(b)).toEqual(bytesOf(a));
}, 120_000);
