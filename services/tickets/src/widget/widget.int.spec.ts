import { randomBytes } from 'node:crypto';
import {
  addWidgetComment,
  readTicket,
  readWidgetTicket,
  submitWidgetTicket,
  systemContext,
  updateTicket,
  widgetUpdated,
  type AddedPublicComment,
  type Context,
  type PublicTicket,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { SignJWT } from 'jose';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { saveWidget } from './widget.store';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
const keys = `k1:${randomBytes(32).toString('base64')}`;
const secrets = new Secrets(keys);
const secret = 'the-secret-of-the-organization-0123456789abcdef';
const secretElsewhere = 'the-secret-of-otherOrganization-0123456789abcdef';

beforeAll(async () => {
  tickets = await TicketsUnderTest.start({ ENCRYPTION_KEYS: keys });
  [organization, otherOrganization] = [await tickets.anOrganization(), await tickets.anOrganization()];
  await settle(organization, secret);
  await settle(otherOrganization, secretElsewhere);
});
afterAll(() => tickets?.close());

const stateOf = ({ id }: TestOrganization, plain: string | null, identity_required = false) => ({
  organization_id: id,
  allowed_sites: [],
  identity_required,
  sealed_secret: plain && secrets.seal('widget-identity', plain),
});
const settle = (of: TestOrganization, plain: string | null, identity_required = false, sequence = 1) =>
  tickets.db.forTenant({ organization_id: of.id }, (tx) => saveWidget(tx, stateOf(of, plain, identity_required), sequence));

const email = 'carla@example.com';
const query = { organization: 'acme' };
const submit = (body: object, ctx: Context = asCustomer(organization.id)) =>
  tickets.call<PublicTicket>(submitWidgetTicket, ctx, { query, body: { subject: 'Help', ...body } });
const read = (id: string, address = email, ctx: Context = asCustomer(organization.id)) =>
  tickets.call<PublicTicket>(readWidgetTicket, ctx, { params: { id }, query: { ...query, email: address } });
const comment = (id: string, body: unknown, ctx: Context = asCustomer(organization.id)) =>
  tickets.call<AddedPublicComment>(addWidgetComment, ctx, { params: { id }, query, body });
const whole = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;
const tokenOf = (claims: Record<string, unknown>, key = secret, seconds = 600) =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + seconds, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(key));

it('opens a ticket that the customer can read and comment on', async () => {
  const { status, data } = await submit({
    customer_email: ' CARLA@example.com',
    customer_name: 'Carla',
    description: 'It burns',
    language: 'ja',
  });
  expect(status).toBe(201);
  expect(data).toMatchObject({ subject: 'Help', description: 'It burns', customer_email: email, status: 'open', writing: 'comment' });
  expect(await whole(data.id)).toMatchObject({ channel: 'widget', customer_verified: false, customer_name: 'Carla', language: 'ja' });
  expect((await tickets.events(data.id))[0]).toMatchObject({ type: 'ticket.created', actor: { type: 'customer' } });
  const written = await comment(data.id, { email, content: 'Still' });
  expect([written.status, written.data]).toMatchObject([201, { comment: { content: 'Still', is_from_customer: true }, new_ticket: null }]);
  expect((await read(data.id)).data.comments).toEqual([written.data.comment]);
});

it('accepts the identity that the website has signed', async () => {
  const identity_token = await tokenOf({ email: 'Dora@Example.com', name: ' Dora ' });
  const { status, data } = await submit({ identity_token });
  expect([status, data]).toMatchObject([201, { customer_email: 'dora@example.com', customer_name: 'Dora' }]);
  expect(await whole(data.id)).toMatchObject({ channel: 'widget', customer_verified: true });
  expect((await submit({ identity_token, customer_email: 'dora@example.com' })).status).toBe(201);
  const unnamed = await submit({ identity_token: await tokenOf({ email }), customer_name: 'Carla C.' });
  expect(unnamed.data.customer_name).toBe('Carla C.');
});

it('rejects an address other than that of the token', async () => {
  const { status, data } = await submit({ identity_token: await tokenOf({ email }), customer_email: 'eve@example.com' });
  expect([status, data.code]).toEqual([403, 'widget.identity_invalid']);
});

it('rejects a token signed with another organization’s secret, and any token without a secret', async () => {
  const bare = await tickets.anOrganization();
  const unknown = await tickets.anOrganization();
  await settle(bare, null);
  const total = (await tickets.events()).length;
  for (const [token, where] of [
    [await tokenOf({ email }, secretElsewhere), organization],
    [await tokenOf({ email }), otherOrganization],
    [await tokenOf({ email }), bare],
    [await tokenOf({ email }), unknown],
    ['', organization],
    ['a.b.c', organization],
  ] as const) {
    const { status, data } = await submit({ identity_token: token, customer_email: email }, asCustomer(where.id));
    expect([status, data.code]).toEqual([403, 'widget.identity_invalid']);
  }
  expect((await tickets.events()).length).toBe(total);
});

it('requires a token if the organization accepts only identified visitors', async () => {
  const strict = await tickets.anOrganization();
  await settle(strict, secret, true);
  const refused = await submit({ customer_email: email }, asCustomer(strict.id));
  expect([refused.status, refused.data.code]).toEqual([403, 'widget.identity_required']);
  expect((await submit({ identity_token: await tokenOf({ email }) }, asCustomer(strict.id))).status).toBe(201);
});

it('projects the newest settings from the stream', async () => {
  const withSites = await tickets.anOrganization();
  const ctx = systemContext(withSites.id, 'test');
  const stored = () => tickets.db.forTenant(ctx, (tx) => tx.selectFrom('widgets').selectAll().executeTakeFirst());
  await tickets.db.forTenant(ctx, (tx) => emit(tx, ctx, widgetUpdated, withSites.id, stateOf(withSites, secret, true)));
  await eventually(async () => expect(await stored()).toMatchObject({ identity_required: true, sequence: 1 }));
  expect((await submit({ identity_token: await tokenOf({ email }) }, asCustomer(withSites.id))).status).toBe(201);
  for (const sequence of [4, 2, 3]) await settle(withSites, null, sequence !== 4, sequence);
  expect(await stored()).toMatchObject({ identity_required: false, sealed_secret: null, sequence: 4 });
});

it.each([
  [{ subject: ' ', customer_email: email }, 'subject'],
  [{}, 'customer_email'],
  [{ customer_email: 'x' }, 'customer_email'],
  [{ customer_email: email, channel: 'staff' }, 'channel'],
  [{ customer_email: email, customer_verified: true }, 'customer_verified'],
  [{ customer_email: email, priority: 'urgent' }, 'priority'],
  [{ customer_email: email, identity_token: 'x'.repeat(4_001) }, 'identity_token'],
])('rejects %j and writes nothing', async (body, path) => {
  const total = (await tickets.events()).length;
  const { status, data } = await submit(body);
  expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
  if (path === 'subject') expect(data.errors?.[0]?.message).toBe('Subject and email are required fields.');
  expect((await tickets.events()).length).toBe(total);
});

it('returns the same error for an unknown ID, a wrong address and another organization, and requires an organization', async () => {
  const { id } = await tickets.aTicket(organization);
  const there = asCustomer(otherOrganization.id);
  const answers = [
    await read(newId()),
    await read(id, 'eve@example.com'),
    await read(id, email, there),
    await comment(newId(), { email, content: 'x' }),
    await comment(id, { email: 'eve@example.com', content: 'x' }),
    await comment(id, { email, content: 'x' }, there),
  ];
  for (const { status, data } of answers) expect([status, data]).toEqual([404, answers[0]?.data]);
  expect((await submit({ customer_email: email }, asCustomer(null))).data.code).toBe('organization.not_found');
  expect((await read(id, email, asCustomer(null))).data.code).toBe('organization.not_found');
});

it.each(['resolved', 'closed'])('is rejected when the ticket is %s', async (status) => {
  const { id } = await tickets.aTicket(organization);
  await tickets.call(updateTicket, asStaff(organization), { params: { id }, body: { status } });
  expect((await read(id)).data.writing).toBe('locked');
  const answer = await comment(id, { email, content: 'One more thing' });
  expect([answer.status, answer.data.code]).toEqual([423, 'ticket.locked']);
});
