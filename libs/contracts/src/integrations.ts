import * as z from 'zod';
import { job, operation } from './define';
import { Id } from './scalars';

const owner = 'integrations';

/** What a task tool can do; screens and sync ask this instead of the tool's name. */
export const TaskToolCapabilities = z.object({
  statuses: z.enum(['named', 'open_closed']),
  priority: z.boolean(),
  comments: z.boolean(),
  custom_fields: z.boolean(),
});
export const TaskTool = z.object({ key: z.string(), name: z.string(), capabilities: TaskToolCapabilities });
export type TaskTool = z.infer<typeof TaskTool>;

export const listTaskTools = operation({
  name: 'integrations.listTaskTools',
  summary: 'The task tools that can be connected.',
  owner,
  method: 'GET',
  path: '/task-tool/providers',
  allow: 'integration.write',
  output: z.array(TaskTool),
});

/**
 * A webhook of a task tool, raw: the gateway passes the bytes on, the owner verifies, stores and answers.
 * Never 401 or 410: ClickUp suspends a webhook that answers them (`external-interfaces.md` 1.8).
 */
export const receiveWebhook = operation({
  name: 'integrations.receiveWebhook',
  summary: 'Inbound webhook of a task tool; answers once it is stored.',
  owner,
  method: 'POST',
  path: '/hooks/task-tool/:provider/:connectionId',
  allow: 'gateway',
  handwritten: true,
  status: 202,
  input: {
    params: z.object({ provider: z.string().max(40), connectionId: Id }),
    body: z.strictObject({ headers: z.record(z.string(), z.string()), body_base64: z.string() }),
  },
  output: z.object({ stored: z.boolean() }),
  problems: ['task_tool.unknown', 'webhook.refused'],
});

/** Works on one stored webhook; the row in `inbound_webhooks` is the truth. */
export const processWebhook = job({
  type: 'process_webhook',
  owner,
  queue: 'task-sync',
  data: z.object({ inbound_webhook_id: Id }),
  attempts: 10,
  backoffMs: [1_000, 5_000, 30_000, 120_000, 600_000],
});
