import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { IntegrationsUnderTest } from '../../test/integrations';
import { commented, seconds, taskWebhook, webhooksTo } from '../../test/webhooks';
import { webhookSecretPurpose } from './webhook';

let integrations: IntegrationsUnderTest;
let hooks: ReturnType<typeof webhooksTo>;
beforeAll(async () => {
  integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '300' });
  hooks = webhooksTo(integrations);
});
afterAll(() => integrations?.close());

describe('an inbound webhook', () => {
  it('is verified, stored, answered and then processed', async () => {
    const { organization, connection } = await hooks.aListener();
    expect(await hooks.deliver(connection.id, taskWebhook('t1', 1))).toMatchObject({ status: 202, answer: { data: { stored: true } } });
    await eventually(async () =>
      expect(await hooks.stored(organization)).toMatchObject([{ state: 'done', event: 'taskStatusUpdated', task_id: 't1' }]),
    );
  });

  it('is stored once even if it is delivered several times', async () => {
    const { organization, connection } = await hooks.aListener();
    const body = taskWebhook('t2', 1);
    const answers = await Promise.all(Array.from({ length: 8 }, () => hooks.deliver(connection.id, body)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(202));
    expect(answers.filter((answer) => answer.answer.data?.stored)).toHaveLength(1);
    expect(await hooks.stored(organization)).toHaveLength(1);
  });

  it('with the same bytes much later is another event: a restored task may be deleted once more', async () => {
    const { organization, connection, integration } = await hooks.aListener();
    const link = await hooks.aLink(integration);
    const body = JSON.stringify({ event: 'taskDeleted', task_id: link.task_id, webhook_id: 'w' });
    expect((await hooks.deliver(connection.id, body)).answer.data?.stored).toBe(true);
    await hooks.allDone(organization, 1);
    expect((await hooks.deliver(connection.id, body)).answer.data?.stored).toBe(false);
    await integrations.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await tx
        .updateTable('inbound_webhooks')
        .set({ received_at: new Date(Date.now() - 11 * 60_000).toISOString() })
        .execute();
      await tx.updateTable('links').set({ next_sync_at: null, task_notified_at: null }).execute();
    });
    expect((await hooks.deliver(connection.id, body)).answer.data?.stored).toBe(true);
    await hooks.allDone(organization, 1);
    expect(await integrations.findLink(organization, link.ticket_id)).toMatchObject({ next_sync_at: expect.any(String) as string });
  });

  it('with a wrong signature is refused with 400, never with 401 or 410, and not stored', async () => {
    const { organization, connection } = await hooks.aListener();
    for (const signature of ['f'.repeat(64), '', 'nonsense'])
      expect(await hooks.deliver(connection.id, taskWebhook('t3', 1), { signature })).toMatchObject({
        status: 400,
        answer: { code: 'webhook.refused' },
      });
    expect(await hooks.stored(organization)).toEqual([]);
  });

  it('may belong to any list of the connection, each with its own secret', async () => {
    const { organization, connection } = await hooks.aListener();
    const another = integrations.secrets.seal(webhookSecretPurpose, 'another-secret');
    await integrations.anIntegration(connection, { list: 'Bugs', sealed_webhook_secret: another });
    expect((await hooks.deliver(connection.id, taskWebhook('t4', 1), { signedWith: 'another-secret' })).status).toBe(202);
    expect((await hooks.deliver(connection.id, taskWebhook('t5', 1))).status).toBe(202);
    expect((await hooks.deliver(connection.id, taskWebhook('t6', 1), { signedWith: 'a-third' })).status).toBe(400);
    await hooks.allDone(organization, 2);
  });

  it('whose secret is not stored yet, or of a removed list, is refused and may be sent again', async () => {
    const { connection } = await hooks.aListener({ sealed_webhook_secret: null });
    expect(await hooks.deliver(connection.id, taskWebhook('t7', 1))).toMatchObject({ status: 404, answer: { code: 'task_tool.unknown' } });
    const sealed_webhook_secret = integrations.secrets.seal(webhookSecretPurpose, 'another-secret');
    await integrations.anIntegration(connection, { list: 'Bugs', sealed_webhook_secret });
    expect((await hooks.deliver(connection.id, taskWebhook('t7', 1))).status).toBe(400);
  });

  it.each([
    ['an unknown connection', 'clickup'],
    ['an unknown task tool', 'constructor'],
  ])('for %s is not found', async (_case, provider) => {
    expect(await hooks.deliver(newId(), taskWebhook('t8', 1), { provider })).toMatchObject({
      status: 404,
      answer: { code: 'task_tool.unknown' },
    });
  });

  it('may be as large as the gateway allows, several at the same time', async () => {
    const { organization, connection } = await hooks.aListener();
    const large = (task_id: string) => JSON.stringify({ event: 'taskUpdated', task_id, webhook_id: 'w', text: 'x'.repeat(5_000_000) });
    for (const task_id of ['a', 'b', 'c']) expect(await hooks.deliver(connection.id, large(task_id))).toMatchObject({ status: 202 });
    await hooks.allDone(organization, 3);
    expect((await hooks.stored(organization)).map(({ task_id }) => task_id)).toEqual(['a', 'b', 'c']);
  });

  it('that is invalid is stored, marked as failed, not retried, and blocks no other', async () => {
    const { organization, connection, integration } = await hooks.aListener();
    const { task_id, ticket_id } = await hooks.aLink(integration);
    const broken = ['{"auto_id":"an automation"}', '', 'null', '{"event":7}', '[1]', '{', '\u0000'];
    for (const body of broken) expect(await hooks.deliver(connection.id, body)).toMatchObject({ status: 202 });
    await hooks.deliver(connection.id, taskWebhook(task_id!, 20));
    await hooks.allDone(organization, broken.length + 1);
    const states = (await hooks.stored(organization)).map(({ state, last_error }) => [state, last_error !== null]);
    expect(states).toEqual([...Array(broken.length).fill(['failed', true]), ['done', false]]);
    expect(await integrations.findLink(organization, ticket_id)).toMatchObject({ task_notified_at: seconds(20) });
  });

  it('whose job Redis lost is processed by the sweep', async () => {
    const { organization, connection } = await hooks.aListener();
    const row = {
      id: newId(),
      organization_id: organization.id,
      connection_id: connection.id,
      fingerprint: 'x',
      body: Buffer.from(taskWebhook('t9', 1)),
    };
    await integrations.db.forTenant({ organization_id: organization.id }, (tx) => tx.insertInto('inbound_webhooks').values(row).execute());
    await hooks.allDone(organization, 1);
  });

  it('is invisible to other organizations', async () => {
    const { connection } = await hooks.aListener();
    await hooks.deliver(connection.id, taskWebhook('t10', 1));
    expect(await hooks.stored(integrations.anOrganization())).toEqual([]);
  });
});

describe('webhooks', () => {
  it('make the link of their task due once, in any order, and our own changes do not', async () => {
    for (const order of [
      [12, 15, 11],
      [15, 12, 11],
      [11, 12, 15, 15],
    ]) {
      const { organization, connection, integration } = await hooks.aListener();
      const [changed, ours] = [await hooks.aLink(integration), await hooks.aLink(integration)];
      for (const second of order) await hooks.deliver(connection.id, taskWebhook(changed.task_id!, second));
      for (const second of [8, 10]) await hooks.deliver(connection.id, taskWebhook(ours.task_id!, second));
      await hooks.deliver(connection.id, taskWebhook('nobody’s', 99));
      await hooks.allDone(organization, order.length + 3);
      expect(await integrations.findLink(organization, changed.ticket_id)).toMatchObject({
        task_notified_at: seconds(15),
        urgency: 1,
        next_sync_at: expect.any(String) as string,
      });
      expect(await integrations.findLink(organization, ours.ticket_id)).toMatchObject({ next_sync_at: null });
    }
  });

  it('report comments: unknown ones are to be read, each once', async () => {
    const { organization, connection, integration } = await hooks.aListener();
    const link = await hooks.aLink(integration);
    const known = {
      organization_id: organization.id,
      id: newId(),
      ticket_id: link.ticket_id,
      comment_id: newId(),
      external_id: '7',
      state: 'sent' as const,
    };
    await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .insertInto('comment_links')
        .values({ ...known, created_at: seconds(0) })
        .execute(),
    );
    await hooks.deliver(connection.id, commented(link.task_id!, 11, '7'));
    await hooks.allDone(organization, 1);
    expect(await integrations.findLink(organization, link.ticket_id)).toMatchObject({
      next_sync_at: null,
      pending_comment_ids: [],
      comments_read_until: null,
    });
    await hooks.deliver(connection.id, commented(link.task_id!, 13, '8'));
    await hooks.deliver(connection.id, commented(link.task_id!, 12, '9'));
    await hooks.deliver(connection.id, commented(link.task_id!, 14, '8'));
    await hooks.allDone(organization, 4);
    const after = await integrations.findLink(organization, link.ticket_id);
    expect(after).toMatchObject({ next_sync_at: expect.any(String) as string, task_notified_at: null });
    // A webhook that names one comment does not prove that no other was lost.
    expect(after!.comments_read_until).toBeNull();
    expect(after!.pending_comment_ids.toSorted()).toEqual(['8', '9']);
  });

  it('about comments are ignored if comments do not sync to the ticket', async () => {
    const { organization, connection, integration } = await hooks.aListener({ comment_sync: 'to_task' });
    const link = await hooks.aLink(integration);
    await hooks.deliver(connection.id, commented(link.task_id!, 11, '8'));
    await hooks.allDone(organization, 1);
    expect(await integrations.findLink(organization, link.ticket_id)).toMatchObject({ next_sync_at: null, pending_comment_ids: [] });
  });

  it('about a deleted task make its link due, even if the tool’s clock differs', async () => {
    const { organization, connection, integration } = await hooks.aListener();
    const link = await hooks.aLink(integration, { task_read_at: '2099-01-01T00:00:00.000Z' });
    await hooks.deliver(connection.id, JSON.stringify({ event: 'taskDeleted', task_id: link.task_id, webhook_id: 'w' }));
    await hooks.allDone(organization, 1);
    const after = await integrations.findLink(organization, link.ticket_id);
    expect(after).toMatchObject({ next_sync_at: expect.any(String) as string, task_notified_at: '2099-01-01T00:00:00.001Z' });
  });

  it('about a deleted list pause its integration, notify an admin once, and unlink its tickets', async () => {
    const { organization, connection, integration } = await hooks.aListener({ is_active: true, pause_reason: null });
    const { list_id } = integration;
    const [gone, moved] = [
      await hooks.aLink(integration),
      await hooks.aLink(integration, { task: JSON.stringify({ list_id: 'another' }) }),
    ];
    for (const extra of ['a', 'b'])
      await hooks.deliver(connection.id, JSON.stringify({ event: 'listDeleted', list_id, webhook_id: 'w', extra }));
    await hooks.allDone(organization, 2);
    expect(await integrations.findIntegrations(organization)).toMatchObject([{ is_active: false, pause_reason: 'list_gone' }]);
    expect(await integrations.findLink(organization, gone.ticket_id)).toMatchObject({ state: 'gone', next_sync_at: null });
    expect(await integrations.findLink(organization, moved.ticket_id)).toMatchObject({ state: 'linked' });
    expect((await integrations.events(integration.id)).map(({ type, data }) => [type, data.problem])).toEqual([
      ['task.sync_failed', 'list_gone'],
    ]);
    expect((await integrations.events(gone.ticket_id)).map(({ type, data }) => [type, data.reason])).toEqual([
      ['task.unlinked', 'list_deleted'],
    ]);
    expect(await integrations.eventTypes(moved.ticket_id)).toEqual([]);
  });

  it('about tasks of other organizations are ignored', async () => {
    const [one, other] = [await hooks.aListener(), await hooks.aListener()];
    const link = await hooks.aLink(other.integration);
    await hooks.deliver(one.connection.id, taskWebhook(link.task_id!, 20));
    await hooks.allDone(one.organization, 1);
    expect(await integrations.findLink(other.organization, link.ticket_id)).toMatchObject({ task_notified_at: null, next_sync_at: null });
  });
});
