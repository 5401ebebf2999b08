import { ClickUpSandbox } from '@tandem/sandbox';
import type { ToolWorld } from '../contract-world';
import { describeTaskTool } from '../task-tool.contract';
import type { ToolSettings } from '../task-tool';
import { clickup } from './clickup';

export async function clickUpWorld(): Promise<ToolWorld> {
  const sandbox = await ClickUpSandbox.start({ rateLimitPerMinute: Infinity, deliveries: { retryDelayMs: 5, timeoutMs: 500 } });
  const { id: list_id, space_id } = sandbox.list('Customer tickets');
  const agent = sandbox.user('agent@demo.test');
  const settings = { CLICKUP_API_URL: sandbox.apiUrl, CLICKUP_AUTHORIZE_URL: sandbox.authorizeUrl } as ToolSettings;
  return {
    settings,
    access: { kind: 'oauth', token: sandbox.issueToken({ teams: ['Northwind'] }) },
    place: { workspace_id: sandbox.team('Northwind').id, space_id, list_id },
    person: {
      createTask: (title) => sandbox.person.createTask(list_id, { name: title }).id,
      setStatus: (id, name) => sandbox.person.setStatus(id, name),
      rename: (id, title) => sandbox.person.rename(id, title),
      comment: (id, text) => void sandbox.person.comment(id, text),
      deleteTask: (id) => sandbox.person.deleteTask(id),
      describe: (id, markdown) => sandbox.person.describe(id, markdown),
      archiveTask: (id) => sandbox.person.archive(id),
    },
    namesOf: (id) => {
      const team = sandbox.team('Northwind').id;
      sandbox.person.setCustomId(id, 'DEV-123');
      return [
        id,
        `#${id}`,
        `https://app.clickup.com/t/${id}`,
        `app.clickup.com/t/${id}?comment=42`,
        'DEV-123',
        'dev-123',
        `https://app.clickup.com/t/${team}/DEV-123`,
        `https://app.clickup.com/t/${team}/${id}/`,
      ];
    },
    archiveList: () => sandbox.archiveList(list_id),
    member: { id: String(agent.id), email: agent.email },
    descriptionOf: (id) => sandbox.task(id)?.description ?? '',
    countTasks: () => sandbox.tasks(list_id).length,
    countWebhooks: () => sandbox.webhooks.length,
    suspendWebhooks: () => sandbox.suspendWebhooks(),
    loseAnswer: () => sandbox.faults.loseAnswer(),
    refuseUntil: (reset) =>
      sandbox.faults.answer({
        status: 429,
        body: { err: 'Rate limit reached', ECODE: 'APP_002' },
        headers: { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset.getTime() / 1_000) },
      }),
    answer: (status, body) => sandbox.faults.answer({ status, body }),
    away: () => sandbox.away(),
    back: () => sandbox.back(),
    violations: () => sandbox.violations,
    close: () => sandbox.close(),
  };
}

// The signature example from ClickUp's documentation.
const body = Buffer.from('{"webhook_id":"7689a169-a000-4985-8676-6902b96d6627","event":"taskCreated","task_id":"c0j"}');
const signature = '4830bf524f6e29a3e8da953936c6f21c1fea2b9669b825d3e1be293ef3416c8c';

describeTaskTool({
  tool: clickup,
  secret: 'secret',
  webhook: { headers: { 'x-signature': signature }, body },
  task_id: 'c0j',
  signature: 'x-signature',
  world: clickUpWorld,
});
