import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Permanent } from '@tandem/contracts';
import { ToolError, type InboundChange, type ToolAnswer } from '../task-tool';
import { clickup } from './clickup';

const now = '2026-11-22T10:00:00.000Z';
const problem = (status: number, body?: unknown, headers: ToolAnswer['headers'] = {}) => {
  const { problem, details } = clickup.toolProblem({ status, headers, body }, now);
  return { problem, ...details };
};
const read = (body: unknown) => clickup.readWebhook(Buffer.from(JSON.stringify(body)));

describe('ClickUp’s errors', () => {
  it.each([
    ...['OAUTH_017', 'OAUTH_019', 'OAUTH_021', 'OAUTH_023', 'OAUTH_025', 'OAUTH_027', 'OAUTH_045', 'OAUTH_077'].map(
      (code) => [401, code, { problem: 'unauthorized', code }] as const,
    ),
    [404, 'ITEM_013', { problem: 'missing' }],
    [400, 'ITEM_013', { problem: 'missing' }],
    [400, 'CRTSK_001', { problem: 'refused', field: 'status' }],
    [400, 'FIELD_605', { problem: 'refused', field: 'customer_email' }],
    [400, 'FIELD_011', { problem: 'refused', field: 'customer_email' }],
    [400, 'input_005', { problem: 'refused', field: 'title' }],
    [400, 'INPUT_006', { problem: 'refused', field: 'due_at' }],
    [400, 'INPUT_003', { problem: 'refused' }],
    [403, 'TEAM_001', { problem: 'refused', code: 'TEAM_001' }],
    [408, undefined, { problem: 'unreachable' }],
    [302, undefined, { problem: 'unreachable' }],
    [500, 'ITEMV2_003', { problem: 'unreachable' }],
    [400, 'constructor', { problem: 'refused' }],
  ] as const)('%i %s', (status, ECODE, expected) => {
    expect(problem(status, { err: 'problemOf', ...(ECODE && { ECODE }) })).toMatchObject(expected);
  });

  it('include the reason in ClickUp’s own words, if there is one', () => {
    const problemOf = (body: object) => clickup.toolProblem({ status: 400, headers: {}, body }, now);
    expect(problemOf({ err: 'Assignee is no member', ECODE: 'ASSIGN_1' })).toBeInstanceOf(ToolError);
    expect(problemOf({ err: 'Assignee is no member', ECODE: 'ASSIGN_1' }).message).toBe('ClickUp: Assignee is no member');
    expect(problemOf({ err: 'Value is not a valid email', ECODE: 'FIELD_011' }).message).toBe('ClickUp: Value is not a valid email');
    expect(problemOf({ err: { strange: true }, ECODE: 'TAG_1' }).message).toBe('ClickUp returned 400 (TAG_1)');
    expect(problemOf({ err: 'x', ECODE: 'CRTSK_001' }).message).toBe('The ClickUp list has no such status');
  });

  it.each([
    ['1795341630', '2026-11-22T10:00:30.000Z'],
    ['1795341630.25', '2026-11-22T10:00:30.250Z'],
    ['1795341630000', '2026-11-22T10:00:30.000Z'],
    ['1795341590', '2026-11-22T10:00:01.000Z'],
    ['soon', '2026-11-22T10:01:00.000Z'],
    ['99999999999999999', '2026-11-22T10:01:00.000Z'],
    ['', '2026-11-22T10:01:00.000Z'],
  ])('with a reset at %p are retried at %s', (reset, retry_at) => {
    expect(problem(429, undefined, { 'x-ratelimit-reset': reset })).toMatchObject({ problem: 'rate_limited', retry_at });
  });

  it('return the rate limit of the token with every response', () => {
    const reset = Math.floor(Date.now() / 1_000) + 40;
    const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    expect(clickup.rateOf(headers)).toEqual({ limit: 100, remaining: 0, reset_at: new Date(reset * 1_000).toISOString() });
    for (const name of Object.keys(headers)) expect(clickup.rateOf({ ...headers, [name]: 'x' })).toBeUndefined();
  });
});

describe('ClickUp’s URLs and tokens', () => {
  it.each([
    ['https://app.clickup.com/t/86d3f01jq', '86d3f01jq'],
    ['https://app.clickup.com/t/86d3f01jq?comment=1', '86d3f01jq'],
    [' #86d3f01jq ', '86d3f01jq'],
    ['https://app.clickup.com/t/9016/DEV-12', '9016/DEV-12'],
    ['DEV-12', undefined],
    ['https://clickup.com.evil.test/t/86d3f01jq', undefined],
  ])('%s names %s', (typed, id) => expect(clickup.taskIdOf(typed)).toBe(id));

  const settings = {
    CLICKUP_API_URL: 'https://api.clickup.com/api',
    CLICKUP_AUTHORIZE_URL: 'https://app.clickup.com/api',
    GITHUB_API_URL: 'https://api.github.com',
    GITHUB_WEB_URL: 'https://github.com',
  };
  const configured = { ...settings, CLICKUP_CLIENT_ID: 'id', CLICKUP_CLIENT_SECRET: 'secret' };

  it('lead to ClickUp’s page only with a client id, and never contain the secret', () => {
    const input = { state: 'a b&c', redirect_uri: 'https://tandem.test/callback?x=1' };
    const url = new URL(clickup.authorizeUrl(configured, input) ?? '');
    expect(url.origin + url.pathname).toBe('https://app.clickup.com/api');
    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: 'id', ...input });
    expect(clickup.authorizeUrl({ ...configured, CLICKUP_CLIENT_SECRET: undefined }, input)).toBeUndefined();
    expect(clickup.exchangeRequest(settings, { code: 'c', redirect_uri: '' })).toBeUndefined();
    expect(clickup.exchangeRequest(configured, { code: 'c', redirect_uri: '' })).toMatchObject({
      url: 'https://api.clickup.com/api/v2/oauth/token',
      body: { client_id: 'id', client_secret: 'secret', code: 'c' },
    });
  });

  it('are sent in a different header for each kind of token', () => {
    expect(clickup.headers({ kind: 'oauth', token: 't' }).authorization).toBe('Bearer t');
    expect(clickup.headers({ kind: 'personal_token', token: 'pk_1' }).authorization).toBe('pk_1');
    expect(clickup.readToken({ access_token: 't', token_type: 'Bearer' })).toEqual({ token: 't' });
    for (const body of [undefined, null, {}, { access_token: '' }, { err: 'x' }]) expect(clickup.readToken(body)).toBeUndefined();
  });
});

describe('ClickUp’s webhooks', () => {
  const item = (field: string, date = '1642734925064', more = {}) => ({ id: '1', type: 1, date, field, parent_id: '2', ...more });
  const about = (event: string, history_items?: unknown) => read({ event, task_id: 't1', webhook_id: 'w', history_items });

  it('report titles and descriptions as taskUpdated, with the latest of their times', () => {
    const items = [item('content', '1642734925064'), item('name', '1642734925065'), item('status', '1642734999999')];
    expect(about('taskUpdated', items)).toMatchObject([{ kind: 'task', at: '2022-01-21T03:15:25.065Z' }]);
    expect(about('taskUpdated', [item('priority')])).toMatchObject([{ kind: 'other' }]);
    expect(about('taskUpdated')).toMatchObject([{ kind: 'task', at: null }]);
  });

  it('name a comment in any of their formats', () => {
    expect(
      about('taskCommentPosted', [item('comment', '1642737045116', { after: '648', comment: { id: 648 }, user: { id: 183 } })]),
    ).toEqual([
      {
        event: 'taskCommentPosted',
        kind: 'comment',
        task_id: 't1',
        list_id: null,
        comment_id: '648',
        actor_id: '183',
        at: '2022-01-21T03:50:45.116Z',
      },
    ]);
    expect(about('taskCommentPosted', [item('comment', '1', { after: '648', comment: [{ text: 'x' }] })])).toMatchObject([
      { comment_id: '648' },
    ]);
    expect(about('taskCommentPosted', [])).toMatchObject([{ kind: 'comment', comment_id: null }]);
  });

  it('without any meaning are rejected; merely unusual ones are accepted', () => {
    expect(() => read({ auto_id: 'x', trigger_id: 'y', payload: { id: 't1' } })).toThrow(Permanent);
    expect(about('taskStatusUpdated', 'nonsense')).toMatchObject([{ kind: 'task', at: null }]);
    expect(about('taskStatusUpdated', [null, { date: {} }, item('status', 'never')])).toMatchObject([{ kind: 'task', at: null }]);
    expect(about('somethingNew', [item('status')])).toMatchObject([{ kind: 'other' }]);
    expect(read({ event: 'spaceUpdated', space_id: '7', webhook_id: 'w' })).toMatchObject([{ kind: 'other', task_id: null }]);
  });
});

// ClickUp's documented webhook bodies are read from a folder outside the repository and never copied into it. Without the folder only the
// samples above are tested.
const folder = process.env.CLICKUP_PAYLOADS ?? join(__dirname, '../../../../../../shared/facts/clickup/webhook-payloads');
const samples = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

if (samples.length > 0) {
  const kinds: Record<string, InboundChange['kind']> = {
    taskStatusUpdated: 'task',
    taskPriorityUpdated: 'task',
    taskAssigneeUpdated: 'task',
    taskTagUpdated: 'task',
    taskMoved: 'task',
    taskCommentPosted: 'comment',
    taskCommentUpdated: 'comment',
    taskDeleted: 'task_deleted',
    listDeleted: 'list_deleted',
  };
  describe('ClickUp’s documented webhooks', () => {
    it.each(samples)('can be read: %s', (sample) => {
      const { body } = JSON.parse(readFileSync(join(folder, sample), 'utf8')) as {
        body: {
          event: string;
          task_id?: string;
          list_id?: string;
          history_items?: { field: string; date: string; after?: string; user?: { id: number } }[];
        };
      };
      const [first] = body.history_items ?? [];
      const isText = body.event === 'taskUpdated' && (first?.field === 'content' || first?.field === 'name');
      const kind = isText ? 'task' : (kinds[body.event] ?? 'other');
      expect(read(body)).toEqual([
        {
          event: body.event,
          kind,
          task_id: body.task_id ?? null,
          list_id: body.list_id ?? null,
          comment_id: kind === 'comment' ? first?.after : null,
          actor_id: first?.user ? String(first.user.id) : null,
          at: first && body.task_id ? new Date(Number(first.date)).toISOString() : null,
        },
      ]);
    });
  });
} else {
  it.skip('ClickUp’s documented webhooks are read: its documents are absent', () => undefined);
}
