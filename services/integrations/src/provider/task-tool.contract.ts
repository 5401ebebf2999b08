import { Permanent } from '@tandem/contracts';
import type { RawWebhook, TaskTool } from './task-tool';

export interface TaskToolSample {
  tool: TaskTool;
  secret: string;
  /** A webhook about a task, signed with `secret` as the tool does it. */
  webhook: RawWebhook;
  task_id: string;
}

/** The suite that every provider passes. */
export function describeTaskTool({ tool, secret, webhook, task_id }: TaskToolSample) {
  describe(`task tool ${tool.key}`, () => {
    it('has a key that fits an address', () => expect(tool.key).toMatch(/^[a-z][a-z0-9-]*$/));

    it('accepts what was signed with the secret of the connection', () => {
      expect(tool.verifyWebhook(webhook, secret)).toBe(true);
    });

    it('refuses another secret, a changed byte, and a missing, empty or shortened signature', () => {
      expect(tool.verifyWebhook(webhook, `${secret}x`)).toBe(false);
      expect(tool.verifyWebhook({ ...webhook, body: Buffer.concat([webhook.body, Buffer.from(' ')]) }, secret)).toBe(false);
      expect(tool.verifyWebhook({ ...webhook, headers: {} }, secret)).toBe(false);
      for (const change of [() => '', (value: string) => value.slice(0, -1)]) {
        const headers = Object.fromEntries(Object.entries(webhook.headers).map(([name, value]) => [name, change(value)]));
        expect(tool.verifyWebhook({ ...webhook, headers }, secret)).toBe(false);
      }
    });

    it('names the task that a webhook is about', () => {
      expect(tool.readWebhook(webhook.body).map((change) => change.task_id)).toContain(task_id);
    });

    it.each(['', 'null', '[]', '{', '{"event":1}', '"text"'])('gives up for good on a body that makes no sense: %s', (body) => {
      expect(() => tool.readWebhook(Buffer.from(body))).toThrow(Permanent);
    });
  });
}
