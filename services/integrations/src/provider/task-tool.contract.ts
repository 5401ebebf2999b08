import { Permanent } from '@tandem/contracts';
import { describeComments } from './contract-comments';
import { describeTasks } from './contract-tasks';
import { describeLinking } from './contract-linking';
import { describeTrouble, describeWebhooksAtTool } from './contract-trouble';
import { callOf, type Begin, type ToolWorld } from './contract-world';
import type { RawWebhook, TaskTool } from './task-tool';

export interface TaskToolSample {
  tool: TaskTool;
  secret: string;
  /** A webhook about a task, signed with `secret` as the tool does it. */
  webhook: RawWebhook;
  task_id: string;
  /** The header that contains the signature. */
  signature: string;
  world: () => Promise<ToolWorld>;
}

/** The suite that every provider must pass: reading and verifying webhooks, and its behavior with a sandbox of the tool. */
export function describeTaskTool(sample: TaskToolSample) {
  describe(`task tool ${sample.tool.key}`, () => {
    describeReading(sample);

    const open: ToolWorld[] = [];
    afterEach(async () => {
      const worlds = open.splice(0);
      for (const world of worlds) await world.close();
      // In every test: no request may violate the vendor's API description.
      expect(worlds.flatMap((world) => world.violations())).toEqual([]);
    });
    const begin = async () => {
      const world = await sample.world();
      open.push(world);
      return { tool: sample.tool, world, call: callOf(sample.tool, world) };
    };
    describeLocations(begin);
    describeTasks(begin);
    describeLinking(begin);
    describeComments(begin);
    describeWebhooksAtTool(begin);
    describeTrouble(begin);
  });
}

function describeReading({ tool, secret, webhook, task_id, signature }: TaskToolSample) {
  it('has a key that can be part of a URL', () => expect(tool.key).toMatch(/^[a-z][a-z0-9-]*$/));

  it('accepts a webhook signed with the secret of the connection', () => {
    expect(tool.verifyWebhook(webhook, secret)).toBe(true);
  });

  it('refuses another secret, a changed byte, and a missing, empty or shortened signature', () => {
    expect(tool.verifyWebhook(webhook, `${secret}x`)).toBe(false);
    expect(tool.verifyWebhook({ ...webhook, body: Buffer.concat([webhook.body, Buffer.from(' ')]) }, secret)).toBe(false);
    expect(tool.verifyWebhook({ ...webhook, headers: {} }, secret)).toBe(false);
    for (const change of [() => '', (value: string) => value.slice(0, -1), (value: string) => `${value}0`]) {
      const headers = { ...webhook.headers, [signature]: change(webhook.headers[signature] ?? '') };
      expect(tool.verifyWebhook({ ...webhook, headers }, secret)).toBe(false);
    }
  });

  it('returns the task of a webhook', () => {
    expect(tool.readWebhook(webhook.body).map((change) => change.task_id)).toContain(task_id);
  });

  it.each(['', 'null', '[]', '{', '{"event":1}', '"text"'])('rejects an invalid body permanently: %s', (body) => {
    expect(() => tool.readWebhook(Buffer.from(body))).toThrow(Permanent);
  });
}

function describeLocations(begin: Begin) {
  describe('locations', () => {
    it('are found from the workspace down to the list’s statuses and members', async () => {
      const { tool, world, call } = await begin();
      const { workspace_id, space_id, list_id } = world.place;
      const ids = (choices: { id: string }[]) => choices.map(({ id }) => id);
      expect((await tool.whoAmI(call)).id).not.toBe(world.member.id);
      expect(ids(await tool.listWorkspaces(call))).toContain(workspace_id);
      const hasSpaces = tool.levels.some(({ key }) => key === 'space');
      expect(ids(await tool.listSpaces(call, workspace_id))).toEqual(hasSpaces ? expect.arrayContaining([space_id]) : []);
      expect(ids(await tool.listLists(call, space_id === undefined ? { workspace_id } : { space_id }))).toContain(list_id);
      const { id, statuses } = await tool.describeList(call, list_id);
      expect(id).toBe(list_id);
      expect(statuses[0]?.category).toBe('open');
      expect(statuses.some(({ category }) => category === 'done')).toBe(true);
      expect(new Set(statuses.map(({ name }) => name)).size).toBe(statuses.length);
      expect((await tool.listMembers(call, world.place)).find(({ id }) => id === world.member.id)?.email).toBe(world.member.email);
    });

    it('that are archived are not offered', async () => {
      const { tool, world, call } = await begin();
      const { workspace_id, space_id, list_id } = world.place;
      world.archiveList();
      const offered = await tool.listLists(call, space_id === undefined ? { workspace_id } : { space_id });
      expect(offered.length).toBeGreaterThan(0);
      expect(offered.map(({ id }) => id)).not.toContain(list_id);
    });

    it('that do not exist are reported as missing or not accessible', async () => {
      const { tool, call } = await begin();
      const problem = await tool.describeList(call, '999999999').catch((error: unknown) => error);
      expect(problem).toMatchObject({ name: 'ToolError', problem: expect.stringMatching(/^(missing|unauthorized)$/) as string });
    });
  });
}
