import { Tandem, TandemError } from '@tandem/sdk';
import { issueToken } from './api-client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

/** The client of libs/sdk, from source, against the running application. */

let app: TestApp;
let ada: OwnerSession;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUpOwner();
});

async function client(permissions?: Parameters<typeof issueToken>[1]): Promise<Tandem> {
  const { value } = await issueToken(ada, permissions);
  return new Tandem({ token: value, baseUrl: app.gateway.url });
}
const failureOf = async (attempt: PromiseLike<unknown>): Promise<TandemError> => {
  const error: unknown = await Promise.resolve(attempt).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TandemError);
  return error as TandemError;
};
const aTicket = (subject: string) => ({ subject, customer_email: 'grace@example.com' });

it('creates, reads, changes and answers a ticket', async () => {
  const tandem = await client();
  const created = await tandem.tickets.create({ ...aTicket('The cup is broken'), external_id: 'order-1', tags: ['cup'] });
  const ticket = await tandem.tickets.get(created.id);
  expect(ticket).toMatchObject({ subject: 'The cup is broken', external_id: 'order-1', tags: ['cup'], status: 'open' });
  const comment = await tandem.comments.create(ticket.id, { content: 'A new one is on its way.' });
  expect(comment.token?.name).toBe('Importer');
  const { items } = await tandem.comments.list(ticket.id);
  expect(items.map(({ content }) => content)).toEqual(['A new one is on its way.']);
  await expect(tandem.tickets.update(ticket.id, { status: 'resolved' })).resolves.toMatchObject({ status: 'resolved' });
  expect((await tandem.tickets.timeline(ticket.id)).items.length).toBeGreaterThan(0);
});

it('ifMatch refuses a change to a ticket that has changed since it was read', async () => {
  const tandem = await client();
  const { id } = await tandem.tickets.create(aTicket('Two people change this'));
  const read = await tandem.tickets.get(id);
  const changed = await tandem.tickets.update(id, { priority: 'high' }, { ifMatch: read });
  expect(await failureOf(tandem.tickets.update(id, { priority: 'low' }, { ifMatch: read }))).toMatchObject({ status: 412 });
  await expect(tandem.tickets.update(id, { priority: 'low' }, { ifMatch: changed })).resolves.toMatchObject({ priority: 'low' });
});

it('the same idempotency key creates one ticket', async () => {
  const tandem = await client();
  const options = { idempotencyKey: 'import-42' };
  const [first, second] = [await tandem.tickets.create(aTicket('Once'), options), await tandem.tickets.create(aTicket('Once'), options)];
  expect(second.id).toBe(first.id);
  expect(await failureOf(tandem.tickets.create(aTicket('Other'), options))).toMatchObject({ code: 'idempotency.key_reused', status: 422 });
});

it('lists all pages, with filters', async () => {
  const tandem = await client();
  for (let i = 0; i < 5; i++) await tandem.tickets.create({ ...aTicket(`Page ${i}`), tags: ['paged'] });
  const subjects: string[] = [];
  for await (const { subject } of tandem.tickets.list({ tag: ['paged'], status: ['open', 'in_progress'], sort: 'oldest', limit: 2 }))
    subjects.push(subject);
  expect(subjects).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3', 'Page 4']);
  const page = await tandem.tickets.list({ tag: ['paged'], limit: 2 });
  expect(page.pagination.total).toBe(5);
});

it('failures have the code, status, fields and request id of the API', async () => {
  const tandem = await client({ permissions: ['tickets:read'] });
  expect(await failureOf(tandem.tickets.create(aTicket('x')))).toMatchObject({ code: 'token.permission_missing', status: 403 });
  expect(await failureOf(tandem.tickets.get('01980000-0000-7000-8000-000000000001'))).toMatchObject({
    code: 'ticket.not_found',
    status: 404,
  });
  const invalid = await failureOf((await client()).tickets.create({ subject: 'x', customer_email: 'nobody' }));
  expect(invalid).toMatchObject({ code: 'request.invalid', status: 422, fields: [{ path: 'customer_email' }] });
  expect(invalid.requestId).toMatch(/^\S+$/);
  const wrong = new Tandem({ token: 'tnd_live_wrong', baseUrl: app.gateway.url });
  expect(await failureOf(wrong.tickets.list())).toMatchObject({ code: 'token.invalid', status: 401 });
});

it('the exported CSV arrives as text', async () => {
  const tandem = await client({ permissions: ['analytics:read'] });
  expect((await tandem.analytics.exportCsv()).split('\n')[0]).toContain('ticket_number');
});
