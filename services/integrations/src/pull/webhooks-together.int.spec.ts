import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntegrationsUnderTest } from '../../test/integrations';
import { seconds, taskWebhook, webhooksTo } from '../../test/webhooks';

// ClickUp's documented webhook bodies are read from a folder outside the repository and never copied into it. Without the folder these
// tests are skipped.
const documents = join(process.env.CLICKUP_FACTS ?? join(__dirname, '../../../../../shared/facts/clickup'), 'webhook-payloads');
const documented = existsSync(documents)
  ? readdirSync(documents)
      .sort()
      .map((name) => JSON.stringify((JSON.parse(readFileSync(join(documents, name), 'utf8')) as { body: unknown }).body))
  : [];

let integrations: IntegrationsUnderTest;
let hooks: ReturnType<typeof webhooksTo>;
beforeAll(async () => {
  integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '300' });
  hooks = webhooksTo(integrations);
});
afterAll(() => integrations?.close());

(documented.length > 0 ? describe : describe.skip)('the bodies of ClickUp’s documentation', () => {
  const taskOf = (body: string) => (JSON.parse(body) as { task_id?: string }).task_id;
  /** Delivers the bodies to links of all tasks that they name, whose last read was before all of them. */
  async function afterAll(bodies: string[]) {
    const { organization, connection, integration } = await hooks.aListener();
    const tasks = [...new Set(documented.map(taskOf).filter((id) => id !== undefined))];
    const links = await Promise.all(
      tasks.map((task_id) => hooks.aLink(integration, { task_id, task_read_at: '2000-01-01T00:00:00.000Z' })),
    );
    for (const body of bodies) expect((await hooks.deliver(connection.id, body)).status).toBe(202);
    await hooks.allDone(organization, new Set(bodies).size);
    const ended = await Promise.all(links.map(({ ticket_id }) => integrations.findLink(organization, ticket_id)));
    return {
      webhooks: (await hooks.stored(organization)).map(({ event, state }) => `${event} ${state}`).sort(),
      links: ended.map((link) => ({
        task: link!.task_id,
        // A deletion has no time, so our own time is stored.
        notified: link!.task_notified_at && link!.task_notified_at > '2026-11' ? 'undated' : link!.task_notified_at,
        comments: link!.pending_comment_ids.toSorted(),
        isDue: link!.next_sync_at !== null,
      })),
    };
  }

  it('in order, reversed or twice have the same result', async () => {
    const inOrder = await afterAll(documented);
    expect(inOrder.webhooks.filter((line) => !line.endsWith(' done'))).toEqual([]);
    expect(inOrder.links.some(({ isDue }) => isDue)).toBe(true);
    expect(await afterAll(documented.toReversed())).toEqual(inOrder);
    expect(await afterAll([...documented, ...documented])).toEqual(inOrder);
  }, 60_000);

  it('cut off anywhere, or signed with another secret, change nothing', async () => {
    const { organization, connection, integration } = await hooks.aListener();
    const link = await hooks.aLink(integration, { task_id: taskOf(documented[0]!)!, task_read_at: '2000-01-01T00:00:00.000Z' });
    for (const body of documented) {
      expect((await hooks.deliver(connection.id, body, { signedWith: 'somebody-else' })).status).toBe(400);
      expect((await hooks.deliver(connection.id, body.slice(0, body.length >> 1))).status).toBe(202);
    }
    await hooks.allDone(organization, documented.length);
    expect((await hooks.stored(organization)).every(({ state }) => state === 'failed')).toBe(true);
    expect(await integrations.findLink(organization, link.ticket_id)).toMatchObject({ task_notified_at: null, next_sync_at: null });
  });
});

it('a burst is stored and applied completely, and of many changes to a task the last one counts', async () => {
  const { organization, connection, integration } = await hooks.aListener();
  const links = await Promise.all(Array.from({ length: 40 }, () => hooks.aLink(integration)));
  const bodies = Array.from({ length: 1_000 }, (_, i) => taskWebhook(links[i % links.length]!.task_id!, 11 + Math.floor(i / links.length)));
  const queue = [...bodies];
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let body = queue.pop(); body; body = queue.pop()) {
        expect((await hooks.deliver(connection.id, body)).status).toBe(202);
      }
    }),
  );
  await hooks.allDone(organization, bodies.length);
  for (const { ticket_id } of links)
    expect(await integrations.findLink(organization, ticket_id)).toMatchObject({ task_notified_at: seconds(11 + 24) });
}, 60_000);
