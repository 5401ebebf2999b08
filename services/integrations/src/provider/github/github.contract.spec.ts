import { createHmac } from 'node:crypto';
import { GitHubSandbox } from '@tandem/sandbox';
import type { ToolWorld } from '../contract-world';
import { describeTaskTool } from '../task-tool.contract';
import type { ToolSettings } from '../task-tool';
import { github } from './github';

const repository_id = 700_001;

async function gitHubWorld(): Promise<ToolWorld> {
  // The sandbox's times are whole seconds, so tasks that are created manually get different times.
  let later = 0;
  const sandbox = await GitHubSandbox.start({ now: () => Date.now() + later, deliveries: { timeoutMs: 500 } });
  const { world } = sandbox;
  const priya = sandbox.user('priya');
  const issue = (task_id: string) => world.issue(repository_id, Number(task_id.split('/')[1]));
  return {
    settings: { GITHUB_API_URL: sandbox.apiUrl, GITHUB_WEB_URL: 'https://github.test' } as ToolSettings,
    access: { kind: 'personal_token', token: sandbox.issueToken() },
    place: { workspace_id: String(sandbox.user('northwind').id), list_id: String(repository_id) },
    person: {
      createTask: (title) => {
        later += 300;
        return `${repository_id}/${world.create(repository_id, { title }, priya).number}`;
      },
      setStatus: (id, name) => {
        const closed = name !== 'Open';
        const reason = name === 'Closed as not planned' ? 'not_planned' : 'completed';
        world.change(issue(id), closed ? { state: 'closed', state_reason: reason } : { state: 'open' }, priya);
      },
      rename: (id, title) => void world.change(issue(id), { title }, priya),
      comment: (id, text) => void world.comment(issue(id), text, priya),
      deleteTask: (id) => world.remove(issue(id), priya),
      describe: (id, body) => void world.change(issue(id), { body }, priya),
    },
    namesOf: (id) => {
      const number = id.split('/')[1] ?? '';
      const address = `github.com/northwind/support/issues/${number}`;
      return [
        id,
        number,
        `#${number}`,
        `northwind/support#${number}`,
        `https://${address}`,
        `${address}`,
        `https://www.${address}/?q=1#issuecomment-7`,
      ];
    },
    archiveList: () => void (world.repository(repository_id).archived = true),
    member: { id: String(priya.id), email: null },
    descriptionOf: (id) => issue(id).body ?? '',
    countTasks: () => world.issuesOf(repository_id).length,
    countWebhooks: () => world.hooks.length,
    suspendWebhooks: () => world.hooks.forEach((hook) => (hook.active = false)),
    loseAnswer: () => sandbox.faults.loseAnswer(),
    refuseUntil: (reset) =>
      sandbox.faults.answer({
        status: 403,
        body: { message: 'API rate limit exceeded for user ID 1001.' },
        headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset.getTime() / 1_000) },
      }),
    answer: (status, body) => sandbox.faults.answer({ status, body }),
    away: sandbox.away,
    back: sandbox.back,
    violations: () => sandbox.violations,
    close: () => sandbox.close(),
  };
}

const secret = "It's a Secret to Everybody";
const body = Buffer.from('{"action":"closed","issue":{"number":7,"updated_at":"2026-11-22T10:00:00Z"},"repository":{"id":700001}}');
const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describeTaskTool({
  tool: github,
  secret,
  webhook: { headers: { 'x-hub-signature-256': signature }, body },
  task_id: '700001/7',
  signature: 'x-hub-signature-256',
  world: gitHubWorld,
});
