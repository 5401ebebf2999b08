import { addComment, readDraft, saveDraft, type Draft } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asCustomer, asUserWithoutOrganization, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const read = (id: string, ctx = asStaff(organization)) => tickets.call<Draft>(readDraft, ctx, { params: { id } });
const save = (id: string, body: unknown, ctx = asStaff(organization)) => tickets.call<Draft>(saveDraft, ctx, { params: { id }, body });
const nothing = { content: '', is_internal: false, updated_at: null };

it('saves the text as typed, for all devices of its author', async () => {
  const { id } = await tickets.aTicket(organization);
  expect((await read(id)).data).toEqual(nothing);
  const saved = await save(id, { content: '  Dear Carla,\n\n', is_internal: true });
  expect(saved).toMatchObject({ status: 200, data: { content: '  Dear Carla,\n\n', is_internal: true } });
  expect((await read(id)).data).toEqual(saved.data);
  expect((await save(id, { content: 'Anew' })).data).toMatchObject({ content: 'Anew', is_internal: false });
  expect((await read(id)).data.content).toBe('Anew');
});
it('returns all scripts, emoji and right-to-left text unchanged', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const content of [
    '<script>alert(1)</script><b onclick="x">',
    '👩‍👩‍👧 🏳️‍🌈 e\u0301',
    '\u202Eمرحبا שלום\u202C',
    '{{customer.name}} %_\\\'"`',
  ]) {
    expect((await save(id, { content })).data.content).toBe(content);
    expect((await read(id)).data.content).toBe(content);
  }
});
it('removes the draft with a blank text', async () => {
  const { id } = await tickets.aTicket(organization);
  await save(id, { content: 'Something' });
  expect(await save(id, { content: ' \n\t ' })).toMatchObject({ status: 200, data: nothing });
  expect((await read(id)).data).toEqual(nothing);
});
it('hides a draft from other users', async () => {
  const { id } = await tickets.aTicket(organization);
  await save(id, { content: 'Of the agent' });
  expect((await read(id, asStaff(organization, 'admin'))).data).toEqual(nothing);
  await save(id, { content: 'Of the admin' }, asStaff(organization, 'admin'));
  await save(id, { content: '' }, asStaff(organization, 'admin'));
  expect((await read(id)).data.content).toBe('Of the agent');
});
it('removes the draft when its comment is sent, but not a draft of the other kind', async () => {
  const { id } = await tickets.aTicket(organization);
  const send = (is_internal: boolean, ctx = asStaff(organization)) =>
    tickets.call(addComment, ctx, { params: { id }, body: { content: 'Sent', is_internal } });
  await save(id, { content: 'A reply' });
  await send(true);
  await send(false, asStaff(organization, 'manager'));
  expect((await read(id)).data.content).toBe('A reply');
  await send(false);
  expect((await read(id)).data).toEqual(nothing);
  await save(id, { content: 'A note', is_internal: true });
  await send(false);
  expect((await read(id)).data.content).toBe('A note');
  await send(true);
  expect((await read(id)).data).toEqual(nothing);
});
it('keeps one of several concurrent drafts', async () => {
  const { id } = await tickets.aTicket(organization);
  const saved = await Promise.all(Array.from({ length: 8 }, (_, i) => save(id, { content: `${i}` })));
  expect(saved.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await read(id)).data.content).toMatch(/^[0-7]$/);
});
it.each([
  [{}],
  [{ content: null }],
  [{ content: 'x'.repeat(100_001) }],
  [{ content: 'a\u0000b' }],
  [{ content: '\u0007' }],
  [{ content: '\ud800' }],
  [{ content: 'x', is_internal: 'no' }],
  [{ content: 'x', user_id: newId() }],
])('%# rejects an invalid draft and keeps the existing one', async (body) => {
  const { id } = await tickets.aTicket(organization);
  await save(id, { content: 'Before' });
  const { status, data } = await save(id, body);
  expect([status, data.code]).toEqual([422, 'request.invalid']);
  expect((await read(id)).data.content).toBe('Before');
});
it('refuses drafts to tokens and to users without an organization', async () => {
  const { id } = await tickets.aTicket(organization);
  const callers = [
    [asToken(organization, 'tickets:read', 'tickets:write'), 403],
    [asToken(organization), 403],
    [asUserWithoutOrganization(), 403],
    [asCustomer(organization.id), 401],
  ] as const;
  for (const [ctx, status] of callers) {
    expect((await read(id, ctx)).status).toBe(status);
    expect((await save(id, { content: 'x' }, ctx)).status).toBe(status);
  }
});
it('returns not found for a ticket of another organization', async () => {
  const { id } = await tickets.aTicket(organization);
  await save(id, { content: 'Ours' });
  for (const ticket of [id, newId()]) {
    expect((await read(ticket, asStaff(otherOrganization))).data.code).toBe('ticket.not_found');
    expect((await save(ticket, { content: 'x' }, asStaff(otherOrganization))).data.code).toBe('ticket.not_found');
  }
  expect((await read(id)).data.content).toBe('Ours');
});
