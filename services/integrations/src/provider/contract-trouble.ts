import { draft } from './contract-tasks';
import { callOf, Hooks, type Begin } from './contract-world';
import type { InboundChange, RawWebhook } from './task-tool';

const proposed = 'a-secret-that-we-propose-0123456789';

export function describeWebhooksAtTool(begin: Begin) {
  describe('webhooks', () => {
    let hooks: Hooks;
    beforeEach(async () => (hooks = await Hooks.open()));
    afterEach(() => hooks.close());

    it('are created once for a list and URL, and removed permanently', async () => {
      const { tool, world, call } = await begin();
      const first = await tool.ensureWebhook(call, world.place, hooks.address, proposed);
      const again = await tool.ensureWebhook(call, world.place, hooks.address, proposed);
      expect(again).toEqual(first);
      expect(world.countWebhooks()).toBe(1);
      expect(await tool.webhookHealth(call, world.place, first.id)).toBe('active');
      await tool.removeWebhook(call, world.place, first.id);
      await tool.removeWebhook(call, world.place, first.id);
      expect(world.countWebhooks()).toBe(0);
      expect(await tool.webhookHealth(call, world.place, first.id)).toBe('missing');
    });

    it('that were suspended are detected and reactivated', async () => {
      const { tool, world, call } = await begin();
      const { id } = await tool.ensureWebhook(call, world.place, hooks.address, proposed);
      world.suspendWebhooks();
      expect(await tool.webhookHealth(call, world.place, id)).toBe('suspended');
      await tool.reviveWebhook(call, world.place, id, hooks.address);
      expect(await tool.webhookHealth(call, world.place, id)).toBe('active');
      world.suspendWebhooks();
      expect((await tool.ensureWebhook(call, world.place, hooks.address, proposed)).id).toBe(id);
      expect(await tool.webhookHealth(call, world.place, id)).toBe('active');
    });

    it('report what people do, signed with the secret: a status, a title, a comment, a deletion', async () => {
      const { tool, world, call } = await begin();
      const { statuses } = await tool.describeList(call, world.place.list_id);
      const { secret } = await tool.ensureWebhook(call, world.place, hooks.address, proposed);
      const { id } = await tool.createTask(call, world.place.list_id, draft());
      const reported = (kind: InboundChange['kind']) => (webhook: RawWebhook) => {
        expect(tool.verifyWebhook(webhook, secret)).toBe(true);
        return tool.readWebhook(webhook.body).find((change) => change.kind === kind && change.task_id === id);
      };
      const after = async (act: () => void, kind: InboundChange['kind']) => {
        hooks.received.length = 0;
        act();
        return hooks.find(reported(kind));
      };
      const { at } = await after(
        () => world.person.setStatus(id, statuses.find(({ category }) => category === 'done')?.name ?? ''),
        'task',
      );
      expect((await tool.getTask(call, id)).updated_at >= (at ?? '9')).toBe(true);
      await after(() => world.person.rename(id, 'Renamed'), 'task');
      const { comment_id } = await after(() => world.person.comment(id, 'Look here'), 'comment');
      expect((await tool.listComments(call, id, '2020-01-01T00:00:00.000Z')).map((comment) => comment.id)).toContain(comment_id);
      await after(() => world.person.deleteTask(id), 'task_deleted');
    });

    it('of our own changes are not later than the task in the response', async () => {
      const { tool, world, call } = await begin();
      await tool.ensureWebhook(call, world.place, hooks.address, proposed);
      const { id } = await tool.createTask(call, world.place.list_id, draft());
      const { task } = await tool.updateTask(call, id, { title: 'Ours', tags: { add: ['ours'], remove: [] } });
      world.person.deleteTask(id);
      const changes = () => hooks.received.flatMap(({ body }) => tool.readWebhook(body)).filter((change) => change.kind === 'task');
      await hooks.find(({ body }) => tool.readWebhook(body).find((change) => change.kind === 'task_deleted'));
      for (const { at } of changes()) expect((at ?? '9') <= (task?.updated_at ?? '')).toBe(true);
    });
  });
}

export function describeTrouble(begin: Begin) {
  describe('errors', () => {
    it('distinguish a deleted task from everything else', async () => {
      const { tool, world, call } = await begin();
      const { id } = await tool.createTask(call, world.place.list_id, draft());
      world.person.deleteTask(id);
      const attempts = [
        () => tool.getTask(call, id),
        () => tool.updateTask(call, id, { title: 'x', tags: { add: ['y'], remove: [] } }),
        () => tool.addComment(call, id, 'x'),
        () => tool.listComments(call, id, '2020-01-01T00:00:00.000Z'),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ problem: 'missing' });
      // Only `gone` proves the deletion: an inaccessible task is missing as well.
      await expect(tool.getTask(call, id)).rejects.toMatchObject({ details: { gone: true } });
      const unknown = (await tool.getTask(call, id.replace(/[0-9a-z]$/, 'zzz')).catch((error: unknown) => error)) as { details: object };
      expect(unknown.details).not.toHaveProperty('gone');
    });

    it('report a refused token, and never contain it', async () => {
      const { tool, world } = await begin();
      for (const kind of ['oauth', 'personal_token'] as const) {
        const call = callOf(tool, world, { access: { kind, token: 'pk_secret_of_somebody' } });
        const error = await tool.whoAmI(call).catch((error: unknown) => error);
        expect(error).toMatchObject({ name: 'ToolError', problem: 'unauthorized' });
        expect(JSON.stringify([error, String(error), (error as Error).stack, (error as Error).cause])).not.toContain('secret_of_somebody');
      }
    });

    it('wait for the reset of the rate limit in the response', async () => {
      const { tool, world, call } = await begin();
      const reset = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 30_000);
      world.refuseUntil(reset);
      await expect(tool.whoAmI(call)).rejects.toMatchObject({ problem: 'rate_limited', details: { retry_at: reset.toISOString() } });
      await expect(tool.whoAmI(call)).resolves.toBeDefined();
    });

    it('report 5xx, non-JSON pages, unexpected JSON, lost responses and refused connections as unreachable', async () => {
      const { tool, world, call } = await begin();
      const isAway = { name: 'ToolError', problem: 'unreachable' };
      for (const [status, body] of [
        [500, { err: 'x', message: 'x' }],
        [502, '<html>Bad gateway</html>'],
        [404, '<html>Not found</html>'],
        [200, '<html>Sign in to the Wi-Fi</html>'],
        [200, { nothing: 'of use' }],
      ] as const) {
        world.answer(status, body);
        await expect(tool.whoAmI(call)).rejects.toMatchObject(isAway);
      }
      world.loseAnswer();
      await expect(tool.whoAmI(call)).rejects.toMatchObject(isAway);
      await world.away();
      await expect(tool.whoAmI(call)).rejects.toMatchObject(isAway);
      await world.back();
      await expect(tool.whoAmI(call)).resolves.toBeDefined();
    });

    it('report every other rejection as permanent', async () => {
      const { tool, world, call } = await begin();
      world.answer(400, { err: 'x', message: 'x' });
      await expect(tool.whoAmI(call)).rejects.toMatchObject({ problem: 'refused' });
      world.answer(422, { err: 'x', message: 'x' });
      await expect(tool.whoAmI(call)).rejects.toMatchObject({ problem: 'refused' });
    });
  });
}
