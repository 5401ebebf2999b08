import { GitHubSandbox } from '@tandem/sandbox';
import { makeCall } from '../call';
import { draft } from '../contract-tasks';
import type { ToolAnswer, ToolSettings } from '../task-tool';
import { github } from './github';
import { escapeText, readText } from './text';

const now = '2026-11-22T10:00:00.000Z';
const problem = (status: number, message: string, headers: ToolAnswer['headers'] = {}) => {
  const { problem, details } = github.toolProblem({ status, headers, body: { message } }, now);
  return { problem, ...details };
};
const read = (body: unknown) => github.readWebhook(Buffer.from(JSON.stringify(body)));

it('the signature matches GitHub’s documentation', () => {
  const headers = { 'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17' };
  expect(github.verifyWebhook({ headers, body: Buffer.from('Hello, World!') }, "It's a Secret to Everybody")).toBe(true);
});

describe('GitHub’s errors', () => {
  it.each([
    [401, 'Bad credentials', {}, { problem: 'unauthorized' }],
    [404, 'Not Found', {}, { problem: 'missing' }],
    [410, 'This issue was deleted', {}, { problem: 'missing' }],
    [301, 'Moved Permanently', {}, { problem: 'missing' }],
    [422, 'Validation Failed', {}, { problem: 'refused' }],
    [403, 'Resource not accessible by personal access token', { 'x-ratelimit-remaining': '4999' }, { problem: 'refused' }],
    [503, 'Service Unavailable', {}, { problem: 'unreachable' }],
    [429, '', {}, { problem: 'rate_limited', retry_at: '2026-11-22T10:01:00.000Z' }],
    [403, 'You have exceeded a secondary rate limit', {}, { problem: 'rate_limited', retry_at: '2026-11-22T10:01:00.000Z' }],
    [
      403,
      'You have exceeded a secondary rate limit',
      { 'retry-after': '7' },
      { problem: 'rate_limited', retry_at: '2026-11-22T10:00:07.000Z' },
    ],
    [
      403,
      'API rate limit exceeded',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795341630' },
      { problem: 'rate_limited', retry_at: '2026-11-22T10:00:30.000Z' },
    ],
  ])('%i %s', (status, message, headers, expected) => {
    expect(problem(status, message, headers as ToolAnswer['headers'])).toMatchObject(expected);
  });
});

describe('text in issues', () => {
  it.each([
    ['@octocat look', '@&#8203;octocat look'],
    ['write to ada@customer.test', 'write to ada@customer.test'],
    ['see #12 and o/r#3', 'see \\#&#8203;12 and o/r\\#&#8203;3'],
    ['GH-7', 'GH-&#8203;7'],
    ['a :smile: b', 'a :&#8203;smile: b'],
    ['https://x.test/@ada#1', 'https://x.test/@ada#1'],
  ])('%s mentions no user and creates no reference', (text, written) => {
    expect(escapeText(text)).toBe(written);
    expect(readText(written)).toBe(text);
  });

  it('that contains our own separator is returned unchanged', () =>
    expect(readText(escapeText('a&#8203;b @&#8203;c'))).toBe('a&#8203;b @&#8203;c'));
});

describe('calls to GitHub', () => {
  let sandbox: GitHubSandbox;
  beforeEach(async () => (sandbox = await GitHubSandbox.start()));
  afterEach(async () => {
    await sandbox.close();
    expect(sandbox.violations).toEqual([]);
  });
  const list_id = '700001';
  const callNow = () =>
    makeCall({
      tool: github,
      settings: { GITHUB_API_URL: sandbox.apiUrl } as ToolSettings,
      access: { kind: 'oauth', token: sandbox.issueToken() },
      timeoutMs: 5_000,
    });

  it('create an issue by one call, and update it with several labels by one call', async () => {
    const call = callNow();
    const { id } = await github.createTask(call, list_id, draft({ tags: ['a'] }));
    expect(sandbox.requests).toHaveLength(1);
    const { task } = await github.updateTask(call, id, {
      title: 'New',
      status: 'closed as completed',
      tags: { add: ['b', 'c'], remove: [] },
    });
    expect(task).toMatchObject({ title: 'New', status: { id: 'completed' }, tags: ['a', 'b', 'c'] });
    expect(sandbox.requests).toHaveLength(3);
  });

  it('treat a missing label as removed, and omit fields that issues do not have', async () => {
    const call = callNow();
    const { id } = await github.createTask(call, list_id, draft());
    const result = await github.updateTask(call, id, { title: 'New', priority: 'high', tags: { add: [], remove: ['never there'] } });
    expect(result).toMatchObject({ task: { title: 'New' }, refused: [{ field: 'priority' }] });
    await expect(github.createTask(call, list_id, draft({ status: 'In Progress' }))).rejects.toMatchObject({
      details: { field: 'status' },
    });
  });

  it('that are not allowed to change a label, which GitHub reports as not found, do not prove that the issue was deleted', async () => {
    const call = callNow();
    const { id } = await github.createTask(call, list_id, draft());
    sandbox.faults.answer({ status: 404, body: { message: 'Not Found' } }, { path: '/labels' });
    const result = await github.updateTask(call, id, { title: 'New', tags: { add: ['a'], remove: [] } });
    expect(result).toMatchObject({ task: { title: 'New' }, refused: [{ field: 'tags' }] });
  });

  it.each([
    [{ errors: [{ field: 'body', code: 'custom', message: 'body is too long' }] }, 'GitHub: body is too long', 'description'],
    [{ errors: [{ field: 'assignees', code: 'invalid' }] }, 'GitHub: assignees: invalid', 'assignee'],
    [
      {
        errors: [
          { field: 'title', code: 'missing_field' },
          { field: 'body', code: 'invalid' },
        ],
      },
      'GitHub: title: missing_field, body: invalid',
      undefined,
    ],
    [{ errors: [{ field: 'constructor', message: 'No' }, 'text', null] }, 'GitHub: No', undefined],
    [{ errors: 'nonsense' }, 'GitHub: Validation Failed', undefined],
    [{}, 'GitHub: Validation Failed', undefined],
  ])('that are refused include the reason in GitHub’s own words, and the field: %j', (body, message, field) => {
    const error = github.toolProblem(
      { status: 422, headers: {}, body: { message: 'Validation Failed', ...body } },
      '2026-11-22T10:00:00.000Z',
    );
    expect([error.problem, error.message, error.details.field]).toEqual(['refused', message, field]);
  });

  it.each([422, 403, 404, 500])(
    'that created an issue never report that none exists, even if setting its state fails with %i',
    async (status) => {
      const call = callNow();
      sandbox.faults.answer({ status, body: { message: 'No' } }, { method: 'PATCH' });
      const made = github.createTask(call, list_id, draft({ status: 'Closed as completed' }));
      await expect(made).rejects.toMatchObject({ problem: 'unreachable' });
      expect(await github.findTask(call, list_id, 'ACME-0001', new Date().toISOString())).toMatchObject({ status: { id: 'open' } });
    },
  );

  it('ignore pull requests and transferred issues', async () => {
    const call = callNow();
    const by = sandbox.user('priya');
    const request = sandbox.world.create(700_001, { title: 'A pull request' }, by, true);
    const moved = sandbox.world.create(700_001, { title: 'Moved' }, by);
    expect((await github.listChanged(call, list_id, null)).tasks.map(({ title }) => title)).toEqual(['Moved']);
    sandbox.world.remove(moved, by, 'transferred');
    for (const { number } of [request, moved])
      await expect(github.getTask(call, `${list_id}/${number}`)).rejects.toMatchObject({ problem: 'missing' });
  });

  it('never remove the secret of a webhook that is reactivated', async () => {
    const call = callNow();
    const place = { workspace_id: '2001', list_id };
    const { id, secret } = await github.ensureWebhook(call, place, 'https://tandem.test/a', 'the secret');
    await github.reviveWebhook(call, place, id, 'https://tandem.test/b');
    expect(sandbox.world.hooks).toMatchObject([{ id: Number(id), secret, url: 'https://tandem.test/b', active: true }]);
  });
});

describe('GitHub’s URLs', () => {
  it.each([
    ['https://github.com/northwind/support/issues/7', 'northwind/support#7'],
    ['https://github.acme.test/n/s/issues/7#issuecomment-1', 'n/s#7'],
    ['northwind/support#7', 'northwind/support#7'],
    ['700001/7', '700001/7'],
    ['../support#7', undefined],
    ['northwind/..#7', undefined],
    ['./support#7', undefined],
    ['north%2Fwind/support#7', undefined],
    ['https://github.com/northwind/support/pull/7', undefined],
    ['https://codeberg.org/northwind/support/issues/7', undefined],
  ])('%s names %s', (typed, id) => expect(github.taskIdOf(typed)).toBe(id));

  it('lead to GitHub’s page only with client id and secret', () => {
    const settings = { GITHUB_WEB_URL: 'https://github.com', GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 's' } as ToolSettings;
    const url = new URL(github.authorizeUrl(settings, { state: 'x', redirect_uri: 'https://t.test/cb' }) ?? '');
    expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: 'id', state: 'x', redirect_uri: 'https://t.test/cb', scope: 'repo' });
    expect(github.authorizeUrl({ ...settings, GITHUB_CLIENT_SECRET: undefined }, { state: 'x', redirect_uri: '' })).toBeUndefined();
    expect(github.readToken({ error: 'bad_verification_code' })).toBeUndefined();
    expect(github.readToken({ access_token: 'a', refresh_token: 'b', expires_in: 28_800 })).toMatchObject({
      token: 'a',
      refresh_token: 'b',
    });
  });
});

interface Example {
  action?: string;
  issue?: { number: number };
  comment?: { id: number };
  repository?: { id: number };
}
// oxlint-disable-next-line typescript/no-require-imports
const published = require('@octokit/webhooks-examples') as { name: string; examples: Example[] }[];
const examplesOf = (name: string): [string, Example][] =>
  (published.find((each) => each.name === name)?.examples ?? []).map((example, i) => [`${name} ${example.action ?? ''} ${i}`, example]);

describe('GitHub’s published webhooks', () => {
  it('are complete', () => {
    expect(examplesOf('issues').length).toBeGreaterThanOrEqual(29);
    expect(examplesOf('issue_comment').length).toBeGreaterThanOrEqual(9);
  });

  it.each(examplesOf('issues'))('%s', (_name, example) => {
    const kinds: Record<string, string> = {
      edited: 'task',
      closed: 'task',
      reopened: 'task',
      labeled: 'task',
      unlabeled: 'task',
      deleted: 'task_deleted',
      transferred: 'task_deleted',
    };
    const [change, ...more] = read(example);
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      event: `issues.${example.action}`,
      task_id: `${example.repository?.id}/${example.issue?.number}`,
      list_id: String(example.repository?.id),
      comment_id: null,
      at: expect.stringMatching(/^20/) as string,
    });
    const kind = kinds[example.action ?? ''] ?? 'other';
    // An edit of a field that is not synced has the same event name.
    expect(example.action === 'edited' ? ['task', 'other'] : [kind]).toContain(change?.kind);
  });

  it.each(examplesOf('issue_comment'))('%s', (_name, example) => {
    const isNews = example.action !== 'deleted';
    expect(read(example)).toMatchObject([
      {
        event: `issue_comment.${example.action}`,
        kind: isNews ? 'comment' : 'other',
        task_id: `${example.repository?.id}/${example.issue?.number}`,
        comment_id: isNews ? String(example.comment?.id) : null,
      },
    ]);
  });

  it.each([...examplesOf('ping'), ...examplesOf('repository')])('%s', (_name, example) => {
    expect(read(example)[0]).toMatchObject({ kind: example.action === 'deleted' ? 'list_deleted' : 'other', task_id: null });
  });

  it('of other subjects never report a repository as deleted', () => {
    const { issue: _issue, comment: _comment, ...repository } = examplesOf('issues')[0]?.[1] ?? {};
    expect(read({ ...repository, action: 'deleted', changes: undefined })).toMatchObject([
      { kind: 'list_deleted', event: 'repository.deleted' },
    ]);
    for (const { name, examples } of published)
      for (const example of examples.filter(({ action, repository }) => action === 'deleted' && repository))
        if (!['repository', 'issues'].includes(name)) expect([name, read(example)[0]?.kind]).toEqual([name, 'other']);
  });
});
