import type { RuleCondition } from '@tandem/contracts';
import { ticketOf } from '@tandem/testing';
import { couldMatch, dueRules, nextCheck, recheckMs, type RuleMoments, type TimeRule } from './rule-time';
import { subjectAt } from './rule-timers';

const ticket = { ...ticketOf('00000000-0000-7000-8000-000000000001', { subject: 'Printer' }), watchers: [] as string[] };
const created = '2026-03-28T23:30:00.000Z';
const moments: RuleMoments = { created, updated: created, status_changed: created, customer_replied: created, staff_replied: null };
const none = new Map<string, string>();
const at = (iso: string) => Date.parse(iso);
const always: RuleCondition = { all: [] };
const urgent: RuleCondition = { field: 'priority', op: 'is_any_of', value: ['urgent'] };
const waiting: RuleCondition = { field: 'hours_since_updated', op: 'at_least', value: 10 };

const aRule = (more: Partial<TimeRule> = {}): TimeRule => ({
  id: 'rule',
  name: 'Rule',
  triggers: ['time_passed'],
  time: { since: 'created', hours: 4 },
  condition: always,
  actions: [],
  stops: false,
  runs: 'every_time',
  version: 1,
  ...more,
});

describe('a time rule', () => {
  it('is due from the moment at which its hours have passed, also while the clocks change', () => {
    // At 01:00 UTC of 29 March 2026 clocks in Europe go from 02:00 to 03:00: four elapsed hours stay four hours.
    const due = (iso: string) => dueRules([aRule()], moments, none, at(iso)).length;
    expect([due('2026-03-29T03:29:59.999Z'), due('2026-03-29T03:30:00.000Z')]).toEqual([0, 1]);
  });

  it('is not due without its moment', () => {
    expect(dueRules([aRule({ time: { since: 'staff_replied', hours: 1 } })], moments, none, at('2027-01-01T00:00:00.000Z'))).toEqual([]);
  });

  it('runs once for a moment, and again for a later one, unless it runs once per ticket', () => {
    const later = { ...moments, created: '2026-04-01T00:00:00.000Z' };
    const due = (rule: TimeRule, of: RuleMoments, acted_for: string) =>
      dueRules([rule], of, new Map([[rule.id, acted_for]]), at('2026-05-01T00:00:00.000Z')).length;
    const once = aRule({ runs: 'once_per_ticket' });
    expect([due(aRule(), moments, created), due(aRule(), later, created), due(once, later, created)]).toEqual([0, 1, 0]);
  });
});

describe('the next check of a ticket', () => {
  const check = (rules: TimeRule[], now: string, acts = none) => nextCheck(rules, subjectAt(ticket, now), { moments, acts });

  it('is when the first rule is due', () => {
    const rules = [aRule({ id: 'a', time: { since: 'created', hours: 8 } }), aRule({ id: 'b' })];
    expect(check(rules, created)).toBe(at('2026-03-29T03:30:00.000Z'));
  });

  it('is not planned if no condition can be met while only time passes', () => {
    expect(check([aRule({ condition: urgent })], created)).toBeNull();
    expect(check([aRule({ condition: { all: [urgent, waiting] } })], created)).toBeNull();
  });

  it('is repeated for a due rule whose condition depends on the time', () => {
    const now = '2026-03-29T04:00:00.000Z';
    expect(check([aRule({ condition: waiting })], now)).toBe(at(now) + recheckMs);
  });

  it('is not planned after the rule has run', () => {
    expect(check([aRule()], '2026-03-29T04:00:00.000Z', new Map([['rule', created]]))).toBeNull();
  });
});

it('a condition could be met later only through fields that change with time', () => {
  const subject = subjectAt(ticket, created);
  const could = (condition: RuleCondition) => couldMatch(condition, subject);
  expect([could(always), could(urgent), could(waiting), could({ any: [urgent, waiting] }), could({ all: [urgent, waiting] })]).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
});
