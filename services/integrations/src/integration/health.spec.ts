import type { ConnectionRow, IntegrationRow } from '../schema';
import { healthOf, noLinks, type LinkCounts } from './health';

const now = '2026-11-22T12:00:00.000Z';
const minutesAgo = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000).toISOString();
const names = { open: 'Open', in_progress: 'Open', waiting_for_customer: 'Open', resolved: 'Done', closed: 'Done' };
const statuses = ['Open', 'Done'].map((name) => ({ id: name, name, category: 'open' as const, color: null }));

const health = (integration: Partial<IntegrationRow>, connection: Partial<ConnectionRow> = {}, counts: Partial<LinkCounts> = {}) =>
  healthOf({
    integration: {
      is_active: true,
      pause_reason: null,
      webhook_state: 'active',
      created_at: minutesAgo(60),
      statuses,
      status_mappings: names,
      field_mappings: {},
      ...integration,
    } as IntegrationRow,
    connection: { state: 'connected', blocked_until: null, block_reason: null, connected_at: minutesAgo(60), ...connection },
    tool: 'ClickUp',
    counts: { ...noLinks, ...counts },
    now,
  });

it('is ok without problems', () =>
  expect(health({}, {}, { linked: 5, pending: 2, due_since: minutesAgo(1) })).toEqual({
    health: 'ok',
    health_detail: null,
    health_problems: [],
  }));

it.each<[string, string, RegExp, Parameters<typeof health>]>([
  ['a dead token', 'broken', /Connect it again/, [{ is_active: false, pause_reason: 'connection_broken' }, { state: 'broken' }]],
  ['a deleted list', 'broken', /list was not found in ClickUp/, [{ is_active: false, pause_reason: 'list_gone' }]],
  ['an integration in a loop', 'attention', /kept changing each other/, [{ is_active: false, pause_reason: 'loop' }]],
  ['a ticket in a loop', 'attention', /^One ticket and its task/, [{}, {}, { stopped: 1 }]],
  ['tickets in a loop', 'attention', /^2 tickets and their tasks/, [{}, {}, { stopped: 2, failed: 1 }]],
  ['a failed ticket', 'attention', /See what failed/, [{}, {}, { failed: 1 }]],
  ['a refused field', 'attention', /^One ticket differs from its task/, [{}, {}, { differing: 1 }]],
  ['a suspended webhook', 'attention', /trouble sending changes/, [{ webhook_state: 'suspended' }]],
  ['a failing webhook', 'attention', /trouble sending changes/, [{ webhook_state: 'failing' }]],
  ['a missing webhook', 'attention', /does not send changes here yet/, [{ webhook_state: 'missing' }]],
  [
    'unmapped statuses',
    'attention',
    /Waiting for Customer, Closed\. Until then/,
    [{ status_mappings: { ...names, waiting_for_customer: null, closed: 'Gone' } }],
  ],
  ['an outage', 'catching_up', /does not answer/, [{}, { blocked_until: minutesAgo(-1), block_reason: 'unreachable' }]],
  [
    'an outage with pending work',
    'catching_up',
    /sent automatically/,
    [{}, { blocked_until: minutesAgo(-1), block_reason: 'unreachable' }, { pending: 1 }],
  ],
  [
    'a used-up limit',
    'catching_up',
    /The rate limit of \w+ is used up/,
    [{}, { blocked_until: minutesAgo(-1), block_reason: 'rate_limit' }, { pending: 1 }],
  ],
  ['many pending tickets', 'catching_up', /^101 tickets are waiting to sync/, [{}, {}, { pending: 101, due_since: minutesAgo(0) }]],
  ['a ticket that is overdue', 'catching_up', /^One ticket is waiting to sync/, [{}, {}, { pending: 1, due_since: minutesAgo(3) }]],
])('reports for %s that it is %s, and what to do', (_case, expected, detail, parameters) => {
  expect(health(...parameters)).toMatchObject({ health: expected, health_detail: expect.stringMatching(detail) as string });
});

it.each<[string, string, Parameters<typeof health>]>([
  ['a manual pause with pending work', 'paused', [{ is_active: false, pause_reason: 'by_hand' }, {}, { failed: 3, pending: 500 }]],
  ['a new integration without a webhook', 'ok', [{ webhook_state: 'missing', created_at: minutesAgo(1) }]],
  ['a new connection without a webhook', 'ok', [{ webhook_state: 'missing' }, { connected_at: minutesAgo(1) }]],
  ['a used-up limit without pending work', 'ok', [{}, { blocked_until: minutesAgo(-1), block_reason: 'rate_limit' }]],
  ['a past outage', 'ok', [{}, { blocked_until: minutesAgo(1), block_reason: 'unreachable' }]],
  ['work that is due later', 'ok', [{}, {}, { pending: 1, due_since: minutesAgo(-4) }]],
])('does not report %s', (_case, expected, parameters) =>
  expect(health(...parameters)).toEqual({ health: expected, health_detail: null, health_problems: [] }),
);

it('reports every problem, the outage first', () => {
  const away = { blocked_until: minutesAgo(-1), block_reason: 'unreachable' as const };
  const {
    health: how,
    health_detail,
    health_problems,
  } = health({ webhook_state: 'suspended', status_mappings: { ...names, closed: null } }, away, {
    stopped: 1,
    failed: 2,
    differing: 3,
    pending: 5,
  });
  expect(how).toBe('attention');
  expect(health_detail).toBe(health_problems[0]);
  expect(health_problems).toEqual(
    [
      /does not answer/,
      /kept changing each other/,
      /^2 tickets could not be synced/,
      /^3 tickets differ/,
      /trouble sending/,
      /Closed\. Until/,
    ].map((text) => expect.stringMatching(text) as string),
  );
});

it('reports an unavailable list before the failed tickets', () => {
  const { health: how, health_problems } = health(
    { is_active: false, pause_reason: 'unavailable', pause_detail: 'ClickUp does not give access to the list.' },
    {},
    { failed: 1 },
  );
  expect([how, health_problems]).toEqual([
    'attention',
    ['ClickUp does not give access to the list.', expect.stringMatching(/^One ticket/)],
  ]);
});
