import {
  addComment,
  draftReply,
  mergeTicket,
  readDraft,
  readTimeline,
  saveDraft,
  type Activity,
  type Context,
  type Draft,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { actingToken } from '../caller';
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
const nothing = { content: '', is_internal: false, updated_at: null, token: null };

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

describe('a reply that a token drafts', () => {
  let token: Context;
  beforeAll(() => {
    token = asToken(organization, 'tickets:write');
  });
  const draft = (id: string, content: unknown, ctx = token, userId = organization.agent, headers?: Record<string, string>) =>
    tickets.call<Draft>(draftReply, ctx, { params: { id, userId }, body: { content }, headers });
  const acting = () => actingToken(token);

  it('is the draft of the member, in the name of the token, until the member changes it', async () => {
    const { id } = await tickets.aTicket(organization);
    const saved = await draft(id, '  Dear Carla  ');
    expect(saved).toMatchObject({ status: 200, data: { content: 'Dear Carla', is_internal: false, token: acting() } });
    expect((await read(id)).data).toEqual(saved.data);
    expect((await read(id, asStaff(organization, 'admin'))).data).toEqual(nothing);
    expect((await save(id, { content: 'Dear Carla!' })).data.token).toBeNull();
    expect((await read(id)).data).toMatchObject({ content: 'Dear Carla!', token: null });
  });

  it('is in the timeline and notifies open pages, without the text', async () => {
    const { id } = await tickets.aTicket(organization);
    await draft(id, 'Secret words');
    const { data } = await tickets.call<Activity[]>(readTimeline, asStaff(organization), { params: { id } });
    expect(data[0]).toMatchObject({
      kind: 'reply_drafted',
      actor_type: 'token',
      token: acting(),
      changes: { drafted_for: { from: null, to: organization.agent } },
    });
    const [, event, ...more] = await tickets.events(id);
    expect([event?.type, event?.data, more]).toEqual([
      'ticket.reply_drafted',
      { ticket_id: id, user_id: organization.agent, token: acting() },
      [],
    ]);
  });

  it('never replaces what the member or another token wrote', async () => {
    const { id } = await tickets.aTicket(organization);
    await save(id, { content: 'Mine' });
    expect(await draft(id, 'Theirs')).toMatchObject({ status: 409, data: { code: 'draft.exists' } });
    await save(id, { content: 'A note', is_internal: true });
    expect((await draft(id, 'Theirs')).data.code).toBe('draft.exists');
    expect((await read(id)).data).toMatchObject({ content: 'A note', token: null });
    await save(id, { content: '' });
    expect((await draft(id, 'First')).status).toBe(200);
    expect((await draft(id, 'Of another', asToken(organization, 'tickets:write'))).data.code).toBe('draft.exists');
    expect((await read(id)).data.content).toBe('First');
  });

  it('replaces a draft of the same token, and a repeat changes nothing', async () => {
    const { id } = await tickets.aTicket(organization);
    await draft(id, 'First');
    const second = await draft(id, 'Second');
    expect(await draft(id, 'Second')).toMatchObject({ status: 200, data: second.data });
    expect((await read(id)).data).toEqual(second.data);
    expect((await tickets.eventTypes(id)).filter((type) => type === 'ticket.reply_drafted')).toHaveLength(2);
  });

  it('is not saved again by a repeat with the same idempotency key after the member has discarded it', async () => {
    const { id } = await tickets.aTicket(organization);
    const key = { 'idempotency-key': newId() };
    const first = await draft(id, 'Once', token, organization.agent, key);
    await save(id, { content: '' });
    expect((await draft(id, 'Once', token, organization.agent, key)).data).toEqual(first.data);
    expect((await read(id)).data).toEqual(nothing);
    expect((await draft(id, 'Other', token, organization.agent, key)).data.code).toBe('idempotency.key_reused');
  });

  it('is saved once if several tokens draft at the same time, and never replaces the member’s own draft', async () => {
    const { id } = await tickets.aTicket(organization);
    const others = Array.from({ length: 6 }, () => asToken(organization, 'tickets:write'));
    const answers = await Promise.all(others.map((ctx, i) => draft(id, `${i}`, ctx)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    await Promise.all([save(id, { content: 'Mine' }), ...others.map((ctx, i) => draft(id, `again ${i}`, ctx))]);
    expect((await read(id)).data).toMatchObject({ content: 'Mine', token: null });
  });

  it('is removed when the member sends the reply', async () => {
    const { id } = await tickets.aTicket(organization);
    await draft(id, 'Dear Carla');
    await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Dear Carla' } });
    expect((await read(id)).data).toEqual(nothing);
  });

  it.each([[''], [' \n'], [null], ['x'.repeat(100_001)], ['a\u0000b']])('rejects the text %# ', async (content) => {
    const { id } = await tickets.aTicket(organization);
    expect((await draft(id, content)).status).toBe(422);
    expect((await read(id)).data).toEqual(nothing);
  });

  it('is refused for a person who is not an active member, and on a merged ticket', async () => {
    const customer_email = 'carla@example.com';
    const [source, target] = [
      await tickets.aTicket(organization, { customer_email }),
      await tickets.aTicket(organization, { customer_email }),
    ];
    for (const user of [newId(), otherOrganization.agent])
      expect(await draft(source.id, 'x', token, user)).toMatchObject({ status: 422, data: { code: 'assignee.not_a_member' } });
    await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
    expect((await draft(source.id, 'x')).data.code).toBe('ticket.locked');
  });

  it('is for tokens that may change tickets only', async () => {
    const { id } = await tickets.aTicket(organization);
    expect((await draft(id, 'x', asToken(organization, 'tickets:read'))).data.code).toBe('token.permission_missing');
    for (const ctx of [asStaff(organization, 'admin'), asUserWithoutOrganization(), asCustomer(organization.id)])
      expect(await draft(id, 'x', ctx)).toMatchObject({ status: 403, data: { code: 'permission.denied' } });
    expect((await read(id)).data).toEqual(nothing);
  });

  it('is not found on a ticket of another organization', async () => {
    const { id } = await tickets.aTicket(otherOrganization);
    for (const ticket of [id, newId()]) expect((await draft(ticket, 'x')).data.code).toBe('ticket.not_found');
  });
});
