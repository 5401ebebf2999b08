import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiveWebhook, systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import type { Insertable } from 'kysely';
import { IntegrationsUnderTest, type Place } from '../../test/integrations';
import type { IntegrationRow, IntegrationsSchema } from '../schema';
import { webhookSecretPurpose } from './webhook';

// ClickUp's documented bodies are read from beside the project and never copied into it: a clone without them has what the sandbox sends.
const documents = join(process.env.CLICKUP_FACTS ?? join(__dirname, '../../../../../shared/facts/clickup'), 'webhook-payloads');
const documented = existsSync(documents)
  ? readdirSync(documents)
      .sort()
      .map((name) => JSON.stringify((JSON.parse(readFileSync(join(documents, name), 'utf8')) as { body: unknown }).body))
  : [];

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => integrations?.close());

const secret = 'the-secret-of-this-list';
/** Paused, so that what is due stays due while a test looks. */
async function aListener(overrides: Parameters<IntegrationsUnderTest['anIntegration']>[1] = {}) {
  const place = integrations.aPlace();
  const connection = await integrations.aConnection(place);
  const sealed_webhook_secret = integrations.secrets.seal(webhookSecretPurpose, secret);
  const paused = { is_active: false, pause_reason: 'by_hand' as const };
  const integration = await integrations.anIntegration(connection, { sealed_webhook_secret, webhook_id: 'w', ...paused, ...overrides });
  return { place, connection, integration };
}
type Options = { signature?: string; provider?: string; signedWith?: string };
async function deliver(connection_id: string, body: string, { provider = 'clickup', signedWith = secret, ...options }: Options = {}) {
  const signature = options.signature ?? createHmac('sha256', signedWith).update(body).digest('hex');
  const path = receiveWebhook.path.replace(':provider', provider).replace(':connectionId', connection_id);
  const response = await fetch(`${integrations.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-tandem-context': signContext(systemContext(null, newId()), integrations.env.CONTEXT_SECRET!),
    },
    body: JSON.stringify({ headers: { 'x-signature': signature }, body_base64: Buffer.from(body).toString('base64') }),
  });
  return { status: response.status, answer: (await response.json()) as { code?: string; data?: { stored: boolean } } };
}
const stored = (place: Place) =>
  integrations.db.forTenant({ organization_id: place.id }, (tx) =>
    tx.selectFrom('inbound_webhooks').select(['id', 'state', 'event', 'task_id', 'last_error']).orderBy('received_at').execute(),
  );
const allDone = (place: Place, count: number) =>
  eventually(async () => {
    const rows = await stored(place);
    expect(rows).toHaveLength(count);
    expect(rows.filter(({ state }) => state === 'stored')).toEqual([]);
  });
const seconds = (n: number) => new Date(Date.UTC(2026, 10, 22) + n * 1_000).toISOString();
const told = (task_id: string, second: number, event = 'taskStatusUpdated', item: object = { field: 'status' }) =>
  JSON.stringify({ event, task_id, webhook_id: 'w', history_items: [{ id: newId(), date: String(Date.parse(seconds(second))), ...item }] });
const commented = (task_id: string, second: number, id: string) =>
  told(task_id, second, 'taskCommentPosted', { field: 'comment', after: id, comment: { id } });
const aLink = (integration: IntegrationRow, overrides: Partial<Insertable<IntegrationsSchema['links']>> = {}) =>
  integrations.aLink(integration, { task_id: newId(), task_seen_at: seconds(10), ...overrides });

describe('an inbound webhook', () => {
  it('is verified, stored, answered and then worked on', async () => {
    const { place, connection } = await aListener();
    expect(await deliver(connection.id, told('t1', 1))).toMatchObject({ status: 202, answer: { data: { stored: true } } });
    await eventually(async () => expect(await stored(place)).toMatchObject([{ state: 'done', event: 'taskStatusUpdated', task_id: 't1' }]));
  });

  it('is stored once however often it is delivered', async () => {
    const { place, connection } = await aListener();
    const body = told('t2', 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(connection.id, body)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(202));
    expect(answers.filter((answer) => answer.answer.data?.stored)).toHaveLength(1);
    expect(await stored(place)).toHaveLength(1);
  });

  it('with a wrong signature is refused with 400, never with 401 or 410, and leaves nothing', async () => {
    const { place, connection } = await aListener();
    for (const signature of ['f'.repeat(64), '', 'nonsense'])
      expect(await deliver(connection.id, told('t3', 1), { signature })).toMatchObject({
        status: 400,
        answer: { code: 'webhook.refused' },
      });
    expect(await stored(place)).toEqual([]);
  });

  it('may be of any of the connection’s lists, each with its own secret', async () => {
    const { place, connection } = await aListener();
    const another = integrations.secrets.seal(webhookSecretPurpose, 'another-secret');
    await integrations.anIntegration(connection, { list: 'Bugs', sealed_webhook_secret: another });
    expect((await deliver(connection.id, told('t4', 1), { signedWith: 'another-secret' })).status).toBe(202);
    expect((await deliver(connection.id, told('t5', 1))).status).toBe(202);
    expect((await deliver(connection.id, told('t6', 1), { signedWith: 'a-third' })).status).toBe(400);
    await allDone(place, 2);
  });

  it('whose secret has not reached us yet, or of a list that was removed, is not taken and may come again', async () => {
    const { connection } = await aListener({ sealed_webhook_secret: null });
    expect(await deliver(connection.id, told('t7', 1))).toMatchObject({ status: 404, answer: { code: 'task_tool.unknown' } });
    const sealed_webhook_secret = integrations.secrets.seal(webhookSecretPurpose, 'another-secret');
    await integrations.anIntegration(connection, { list: 'Bugs', sealed_webhook_secret });
    expect((await deliver(connection.id, told('t7', 1))).status).toBe(400);
  });

  it.each([
    ['an unknown connection', 'clickup'],
    ['an unknown task tool', 'constructor'],
  ])('for %s is not found', async (_case, provider) => {
    expect(await deliver(newId(), told('t8', 1), { provider })).toMatchObject({ status: 404, answer: { code: 'task_tool.unknown' } });
  });

  it('may be as large as the gateway lets in, several of them beside each other', async () => {
    const { place, connection } = await aListener();
    const large = (task_id: string) => JSON.stringify({ event: 'taskUpdated', task_id, webhook_id: 'w', text: 'x'.repeat(5_000_000) });
    for (const task_id of ['a', 'b', 'c']) expect(await deliver(connection.id, large(task_id))).toMatchObject({ status: 202 });
    await allDone(place, 3);
    expect((await stored(place)).map(({ task_id }) => task_id)).toEqual(['a', 'b', 'c']);
  });

  it('that makes no sense is kept, marked, not tried again, and keeps no other back', async () => {
    const { place, connection, integration } = await aListener();
    const { task_id, ticket_id } = await aLink(integration);
    const broken = ['{"auto_id":"an automation"}', '', 'null', '{"event":7}', '[1]', '{', '\u0000'];
    for (const body of broken) expect(await deliver(connection.id, body)).toMatchObject({ status: 202 });
    await deliver(connection.id, told(task_id!, 20));
    await allDone(place, broken.length + 1);
    const states = (await stored(place)).map(({ state, last_error }) => [state, last_error !== null]);
    expect(states).toEqual([...Array(broken.length).fill(['failed', true]), ['done', false]]);
    expect(await integrations.findLink(place, ticket_id)).toMatchObject({ task_told_at: seconds(20) });
  });

  it('whose job Redis forgot is worked on all the same', async () => {
    const { place, connection } = await aListener();
    const row = {
      id: newId(),
      organization_id: place.id,
      connection_id: connection.id,
      fingerprint: 'x',
      body: Buffer.from(told('t9', 1)),
    };
    await integrations.db.forTenant({ organization_id: place.id }, (tx) => tx.insertInto('inbound_webhooks').values(row).execute());
    await allDone(place, 1);
  });

  it('is invisible to every other organization', async () => {
    const { connection } = await aListener();
    await deliver(connection.id, told('t10', 1));
    expect(await stored(integrations.aPlace())).toEqual([]);
  });
});

describe('what webhooks say', () => {
  it('makes the link of its task due once, whichever order they come in, and our own changes make none due', async () => {
    for (const order of [
      [12, 15, 11],
      [15, 12, 11],
      [11, 12, 15, 15],
    ]) {
      const { place, connection, integration } = await aListener();
      const [changed, ours] = [await aLink(integration), await aLink(integration)];
      for (const second of order) await deliver(connection.id, told(changed.task_id!, second));
      for (const second of [8, 10]) await deliver(connection.id, told(ours.task_id!, second));
      await deliver(connection.id, told('nobody’s', 99));
      await allDone(place, order.length + 3);
      expect(await integrations.findLink(place, changed.ticket_id)).toMatchObject({
        task_told_at: seconds(15),
        urgency: 1,
        work_at: expect.any(String) as string,
      });
      expect(await integrations.findLink(place, ours.ticket_id)).toMatchObject({ work_at: null });
    }
  });

  it('names comments: those that nobody knows are to be read, each once', async () => {
    const { place, connection, integration } = await aListener();
    const link = await aLink(integration);
    const known = {
      organization_id: place.id,
      id: newId(),
      ticket_id: link.ticket_id,
      comment_id: newId(),
      external_id: '7',
      state: 'sent' as const,
    };
    await integrations.db.forTenant({ organization_id: place.id }, (tx) =>
      tx
        .insertInto('comment_links')
        .values({ ...known, created_at: seconds(0) })
        .execute(),
    );
    await deliver(connection.id, commented(link.task_id!, 11, '7'));
    await allDone(place, 1);
    expect(await integrations.findLink(place, link.ticket_id)).toMatchObject({
      work_at: null,
      comments_told: [],
      comments_told_until: seconds(11),
    });
    await deliver(connection.id, commented(link.task_id!, 13, '8'));
    await deliver(connection.id, commented(link.task_id!, 12, '9'));
    await deliver(connection.id, commented(link.task_id!, 14, '8'));
    await allDone(place, 4);
    const after = await integrations.findLink(place, link.ticket_id);
    expect(after).toMatchObject({ work_at: expect.any(String) as string, task_told_at: null, comments_told_until: seconds(14) });
    expect(after!.comments_told.toSorted()).toEqual(['8', '9']);
  });

  it('of comments is nothing where comments of the task do not come to the ticket', async () => {
    const { place, connection, integration } = await aListener({ comment_sync: 'to_task' });
    const link = await aLink(integration);
    await deliver(connection.id, commented(link.task_id!, 11, '8'));
    await allDone(place, 1);
    expect(await integrations.findLink(place, link.ticket_id)).toMatchObject({ work_at: null, comments_told: [] });
  });

  it('of a deleted task makes its link due, whatever the tool’s clock says', async () => {
    const { place, connection, integration } = await aListener();
    const link = await aLink(integration, { task_seen_at: '2099-01-01T00:00:00.000Z' });
    await deliver(connection.id, JSON.stringify({ event: 'taskDeleted', task_id: link.task_id, webhook_id: 'w' }));
    await allDone(place, 1);
    const after = await integrations.findLink(place, link.ticket_id);
    expect(after).toMatchObject({ work_at: expect.any(String) as string, task_told_at: '2099-01-01T00:00:00.001Z' });
  });

  it('of a deleted list pauses its integration, tells an admin once, and its tickets that they stand alone', async () => {
    const { place, connection, integration } = await aListener({ is_active: true, pause_reason: null });
    const { list_id } = integration;
    const [gone, moved] = [await aLink(integration), await aLink(integration, { task: JSON.stringify({ list_id: 'another' }) })];
    for (const extra of ['a', 'b']) await deliver(connection.id, JSON.stringify({ event: 'listDeleted', list_id, webhook_id: 'w', extra }));
    await allDone(place, 2);
    expect(await integrations.findIntegrations(place)).toMatchObject([{ is_active: false, pause_reason: 'list_gone' }]);
    expect(await integrations.findLink(place, gone.ticket_id)).toMatchObject({ state: 'gone', work_at: null });
    expect(await integrations.findLink(place, moved.ticket_id)).toMatchObject({ state: 'linked' });
    expect((await integrations.events(integration.id)).map(({ type, data }) => [type, data.problem])).toEqual([
      ['task.sync_failed', 'list_gone'],
    ]);
    expect((await integrations.events(gone.ticket_id)).map(({ type, data }) => [type, data.reason])).toEqual([
      ['task.unlinked', 'list_deleted'],
    ]);
    expect(await integrations.eventTypes(moved.ticket_id)).toEqual([]);
  });

  it('of other organizations’ tasks is nothing', async () => {
    const [one, other] = [await aListener(), await aListener()];
    const link = await aLink(other.integration);
    await deliver(one.connection.id, told(link.task_id!, 20));
    await allDone(one.place, 1);
    expect(await integrations.findLink(other.place, link.ticket_id)).toMatchObject({ task_told_at: null, work_at: null });
  });
});

(documented.length > 0 ? describe : describe.skip)('the bodies of ClickUp’s documentation', () => {
  const taskOf = (body: string) => (JSON.parse(body) as { task_id?: string }).task_id;
  /** Links of all tasks that they name, which were seen before any of them. */
  async function afterAll(bodies: string[]) {
    const { place, connection, integration } = await aListener();
    const tasks = [...new Set(documented.map(taskOf).filter((id) => id !== undefined))];
    const links = await Promise.all(tasks.map((task_id) => aLink(integration, { task_id, task_seen_at: '2000-01-01T00:00:00.000Z' })));
    for (const body of bodies) expect((await deliver(connection.id, body)).status).toBe(202);
    await allDone(place, new Set(bodies).size);
    const ended = await Promise.all(links.map(({ ticket_id }) => integrations.findLink(place, ticket_id)));
    return {
      webhooks: (await stored(place)).map(({ event, state }) => `${event} ${state}`).sort(),
      links: ended.map((link) => ({
        task: link!.task_id,
        // Deletion tells no time: ours stands there.
        told: link!.task_told_at && link!.task_told_at > '2026-11' ? 'undated' : link!.task_told_at,
        comments: link!.comments_told.toSorted(),
        isDue: link!.work_at !== null,
      })),
    };
  }

  it('in order, reversed, or twice end at the same', async () => {
    const inOrder = await afterAll(documented);
    expect(inOrder.webhooks.filter((line) => !line.endsWith(' done'))).toEqual([]);
    expect(inOrder.links.some(({ isDue }) => isDue)).toBe(true);
    expect(await afterAll(documented.toReversed())).toEqual(inOrder);
    expect(await afterAll([...documented, ...documented])).toEqual(inOrder);
  }, 60_000);

  it('cut off anywhere, or signed by somebody else, change nothing', async () => {
    const { place, connection, integration } = await aListener();
    const link = await aLink(integration, { task_id: taskOf(documented[0]!)!, task_seen_at: '2000-01-01T00:00:00.000Z' });
    for (const body of documented) {
      expect((await deliver(connection.id, body, { signedWith: 'somebody-else' })).status).toBe(400);
      expect((await deliver(connection.id, body.slice(0, body.length >> 1))).status).toBe(202);
    }
    await allDone(place, documented.length);
    expect((await stored(place)).every(({ state }) => state === 'failed')).toBe(true);
    expect(await integrations.findLink(place, link.ticket_id)).toMatchObject({ task_told_at: null, work_at: null });
  });
});

it('a storm is answered at once and applied whole, and of many changes of a task the last one counts', async () => {
  const { place, connection, integration } = await aListener();
  const links = await Promise.all(Array.from({ length: 40 }, () => aLink(integration)));
  const bodies = Array.from({ length: 1_000 }, (_, i) => told(links[i % links.length]!.task_id!, 11 + Math.floor(i / links.length)));
  const took: number[] = [];
  const queue = [...bodies];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let body = queue.pop(); body; body = queue.pop()) {
        const begun = performance.now();
        expect((await deliver(connection.id, body)).status).toBe(202);
        took.push(performance.now() - begun);
      }
    }),
  );
  took.sort((a, b) => a - b);
  expect(took[Math.floor(took.length * 0.99)]).toBeLessThan(1_000);
  await allDone(place, bodies.length);
  for (const { ticket_id } of links)
    expect(await integrations.findLink(place, ticket_id)).toMatchObject({ task_told_at: seconds(11 + 24) });
}, 60_000);
