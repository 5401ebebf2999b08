import type { Rule, RuleRun, RuleTest, WebhookEndpoint } from '@tandem/contracts';
import { http } from 'msw';
import { anId, backend } from '../../../testing/backend';
import { answer, api, refuse, signedIn } from '../../../testing/responses';

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const hourMs = 3_600_000;

export const aRule = (overrides: Partial<Rule> = {}): Rule => ({
  id: anId(),
  position: 1,
  name: 'Refunds to Ada',
  triggers: ['ticket_created'],
  time: null,
  condition: { all: [{ field: 'category', op: 'is', value: 'Billing' }] },
  actions: [
    { type: 'assign', to: backend.me.user_id },
    { type: 'add_tags', tags: ['refund'] },
  ],
  stops: false,
  runs: 'every_time',
  is_active: true,
  disabled_reason: null,
  version: 1,
  updated_by: backend.me.user_id,
  updated_at: ago(48 * hourMs),
  run_count: 34,
  last_run_at: ago(2 * hourMs),
  last_error: null,
  ...overrides,
});

export const aRun = (overrides: Partial<RuleRun> = {}): RuleRun => ({
  id: anId(),
  rule_id: anId(),
  rule_version: 1,
  ticket: { id: anId(), ticket_number: 'NC-0042', subject: 'Where is my refund?' },
  trigger: 'ticket_created',
  changes: { priority: { from: 'medium', to: 'high' } },
  effects: [],
  problem: null,
  created_at: ago(2 * hourMs),
  ...overrides,
});

export const aTest = (overrides: Partial<RuleTest> = {}): RuleTest => ({
  tested: 200,
  changed: [],
  unaffected: 0,
  not_matching: 200,
  not_triggered: 0,
  most_failed: null,
  ...overrides,
});

const json = async <T>(request: Request) => (await request.json()) as T;
const runsPerPage = 2;

/** The fake server's rules. Tests fill it and pass `handlers()` to `server.use`. */
export class FakeRules {
  rules: Rule[] = [];
  runs: RuleRun[] = [];
  test = aTest();
  webhooks: WebhookEndpoint[] = [];
  /** The requests that changed or tested something. */
  sent: { call: string; body: unknown }[] = [];

  private find = (id: unknown) => this.rules.find((rule) => rule.id === id);
  private note = (call: string, body: unknown) => void this.sent.push({ call, body });

  handlers = () => [
    http.get(api('/webhook-endpoints'), () => signedIn(() => answer(this.webhooks))),
    http.get(api('/rules'), () => signedIn(() => answer(this.rules))),
    http.post(api('/rules'), async ({ request }) => {
      const body = await json<Partial<Rule>>(request);
      this.note('create', body);
      const created = aRule({ ...body, position: this.rules.length + 1, run_count: 0, last_run_at: null });
      this.rules = [...this.rules, created];
      return answer(created, { status: 201 });
    }),
    http.post(api('/rules/test'), async ({ request }) => {
      this.note('test', await json(request));
      return answer(this.test);
    }),
    http.put(api('/rules/order'), async ({ request }) => {
      const { ids } = await json<{ ids: string[] }>(request);
      this.note('order', ids);
      if (ids.length !== this.rules.length) return refuse('rule.order_incomplete');
      this.rules = ids.map((id, index) => ({ ...this.find(id)!, position: index + 1 }));
      return answer(this.rules);
    }),
    http.patch(api('/rules/:id'), async ({ params, request }) => {
      const body = await json<Partial<Rule>>(request);
      this.note('update', body);
      const rule = this.find(params.id);
      if (!rule) return refuse('rule.not_found');
      const changed = { ...rule, ...body, ...(body.is_active ? { disabled_reason: null } : {}) };
      this.rules = this.rules.map((each) => (each === rule ? changed : each));
      return answer(changed);
    }),
    http.delete(api('/rules/:id'), ({ params }) => {
      this.note('delete', params.id);
      this.rules = this.rules.filter(({ id }) => id !== params.id);
      return answer({});
    }),
    http.get(api('/rules/:id/runs'), ({ request }) => {
      const from = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
      const next_cursor = from + runsPerPage < this.runs.length ? String(from + runsPerPage) : null;
      const pagination = { page: null, limit: runsPerPage, total: this.runs.length, next_cursor };
      return answer(this.runs.slice(from, from + runsPerPage), { pagination });
    }),
  ];
}
