import { ruleLimits, type RuleAction, type RuleCondition } from '@tandem/contracts';
import { ticketOf } from '@tandem/testing';
import { planRules, type ActiveRule, type KnownFacts, type RuleCause } from './rule';

const ticket = { ...ticketOf('00000000-0000-7000-8000-000000000001', { subject: 'Printer', tags: [] }), watchers: [] as string[] };
const created: RuleCause = {
  triggers: ['ticket_created'],
  changes: {},
  comment: null,
  quiet: false,
  in_business_hours: true,
  now: '2026-05-01T10:00:00.000Z',
};
const nothingKnown: KnownFacts = { excluded: new Set() };
let count = 0;
const aRule = (more: Partial<ActiveRule> & { actions: RuleAction[] }): ActiveRule => ({
  id: `rule-${(count += 1)}`,
  name: 'Rule',
  triggers: ['ticket_created'],
  time: null,
  condition: { all: [] },
  stops: false,
  runs: 'every_time',
  version: 1,
  ...more,
});
const priority = (value: 'low' | 'medium' | 'high' | 'urgent'): RuleAction => ({ type: 'set_priority', priority: value });
const hasPriority = (value: string): RuleCondition => ({ field: 'priority', op: 'is_any_of', value: [value] });
const note: RuleAction = { type: 'add_note', content: 'Seen' };
const names = (steps: readonly { rule: ActiveRule }[]) => steps.map(({ rule }) => rule.name);

describe('rules of one cause', () => {
  it('run in their order, each on the result of those before it', () => {
    const rules = [
      aRule({ name: 'raise', actions: [priority('high')] }),
      aRule({ name: 'tag', condition: hasPriority('high'), actions: [{ type: 'add_tags', tags: ['fire'] }] }),
      aRule({ name: 'not met', condition: hasPriority('low'), actions: [note] }),
    ];
    const plan = planRules(rules, ticket, created, nothingKnown);
    expect([names(plan.steps), plan.ticket.priority, plan.ticket.tags]).toEqual([['raise', 'tag'], 'high', ['fire']]);
    expect(plan.steps[0]!.changes).toEqual({ priority: { from: 'medium', to: 'high' } });
  });

  it('that contradict each other each run once, and the last one wins', () => {
    const rules = [aRule({ actions: [priority('low')] }), aRule({ actions: [priority('urgent')] })];
    const plan = planRules(rules, ticket, created, nothingKnown);
    expect([plan.steps.length, plan.ticket.priority]).toEqual([2, 'urgent']);
  });

  it('that cause each other end after one run each', () => {
    const swap = (from: 'low' | 'high', to: 'low' | 'high') =>
      aRule({ triggers: ['ticket_updated'], condition: hasPriority(from), actions: [priority(to)] });
    const changed = { ...created, triggers: ['ticket_updated' as const], changes: { priority: { from: 'medium', to: 'high' } } };
    const plan = planRules([swap('low', 'high'), swap('high', 'low')], { ...ticket, priority: 'high' }, changed, nothingKnown);
    expect([plan.steps.length, plan.ticket.priority]).toEqual([2, 'high']);
  });

  it('are followed by rules for updates, which read the changed fields and the previous value', () => {
    const rules = [
      aRule({ name: 'raise', actions: [priority('urgent')] }),
      aRule({
        name: 'follow',
        triggers: ['ticket_updated'],
        condition: {
          all: [
            { field: 'changed_fields', op: 'contains_any_of', value: ['priority'] },
            { field: 'previous_priority', op: 'is_any_of', value: ['medium'] },
          ],
        },
        actions: [note],
      }),
    ];
    const plan = planRules(rules, ticket, created, nothingKnown);
    expect(plan.steps.map(({ rule, trigger, effects }) => [rule.name, trigger, effects])).toEqual([
      ['raise', 'ticket_created', []],
      ['follow', 'ticket_updated', ['add_note']],
    ]);
  });

  it('are not followed by rules for updates if nothing changed', () => {
    const follow = aRule({ triggers: ['ticket_updated'], actions: [note] });
    expect(planRules([aRule({ actions: [priority('medium')] }), follow], ticket, created, nothingKnown).steps).toEqual([]);
  });

  it('skip those after a rule that stops, also if it has nothing to change', () => {
    const rules = [aRule({ name: 'stop', stops: true, actions: [priority('medium')] }), aRule({ actions: [priority('low')] })];
    const plan = planRules(rules, ticket, created, nothingKnown);
    expect([plan.steps, names(plan.matched.map((rule) => ({ rule }))), plan.ticket.priority]).toEqual([[], ['stop'], 'medium']);
  });

  it('do not include excluded rules', () => {
    const rule = aRule({ actions: [note] });
    expect(planRules([rule], ticket, created, { excluded: new Set([rule.id]) }).matched).toEqual([]);
  });

  it('read the new comment as part of the text', () => {
    const rule = aRule({
      triggers: ['customer_replied'],
      condition: { field: 'text', op: 'contains', value: 'refund' },
      actions: [note],
    });
    const replied = { ...created, triggers: ['customer_replied' as const] };
    const matched = (comment: string | null) => planRules([rule], ticket, { ...replied, comment }, nothingKnown).matched.length;
    expect([matched('I want a REFUND'), matched('Thanks'), matched(null)]).toEqual([1, 0, 0]);
  });
});

describe('the maximum number of actions', () => {
  it('cuts the rest off, and stops', () => {
    const notes = (name: string) => aRule({ name, actions: Array.from({ length: 20 }, () => note) });
    const plan = planRules([notes('a'), notes('b'), notes('c'), notes('d')], ticket, created, nothingKnown);
    expect(plan.effects).toHaveLength(ruleLimits.actionsPerCause);
    expect(plan.steps.map(({ rule, action_count, problem }) => [rule.name, action_count, problem])).toEqual([
      ['a', 20, null],
      ['b', 20, null],
      ['c', 10, 'cut_off'],
    ]);
    expect(plan.cutOffAt?.name).toBe('c');
  });

  it('does not count actions that have nothing to do', () => {
    const idle = Array.from({ length: 20 }, () => priority('medium'));
    const rules = [aRule({ actions: idle }), aRule({ actions: idle }), aRule({ actions: idle }), aRule({ actions: [note] })];
    const plan = planRules(rules, ticket, created, nothingKnown);
    expect([plan.cutOffAt, plan.steps.length, plan.effects.length]).toEqual([null, 1, 1]);
  });
});

describe('actions', () => {
  it('assign in turn only a ticket without an assignee, once it is known who is next', () => {
    const rule = aRule({ actions: [{ type: 'assign', to: 'round_robin' }] });
    expect(planRules([rule], ticket, created, nothingKnown)).toMatchObject({ needsAssignee: true, steps: [] });
    const next = (nextAssignee: string | null) => planRules([rule], ticket, created, { excluded: new Set(), nextAssignee });
    expect(next('ann').ticket.assigned_to).toBe('ann');
    expect(next(null).steps).toMatchObject([{ problem: 'no_assignee', action_count: 0 }]);
    expect(planRules([rule], { ...ticket, assigned_to: 'bob' }, created, nothingKnown)).toMatchObject({ needsAssignee: false, steps: [] });
  });

  it('send no reply to a customer who must get no automatic one, and still add notes', () => {
    const rule = aRule({ actions: [{ type: 'send_reply', content: 'Hello', translations: {} }, note] });
    const plan = planRules([rule], ticket, { ...created, quiet: true }, nothingKnown);
    expect(plan.steps).toMatchObject([{ effects: ['add_note'], problem: 'no_automatic_reply', action_count: 1 }]);
  });

  it('add and remove tags and watchers without repeating any', () => {
    const rule = aRule({
      actions: [
        { type: 'add_tags', tags: ['a', 'b'] },
        { type: 'add_tags', tags: ['a'] },
        { type: 'remove_tags', tags: ['b', 'c'] },
        { type: 'add_watchers', user_ids: ['ann', 'bob'] },
        { type: 'remove_watchers', user_ids: ['bob'] },
      ],
    });
    const plan = planRules([rule], ticket, created, nothingKnown);
    expect([plan.ticket.tags, plan.ticket.watchers, plan.steps[0]!.action_count]).toEqual([['a'], ['ann'], 4]);
  });
});
