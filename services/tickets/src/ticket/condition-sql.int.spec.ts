import { countViews, createView, listTickets, type Ticket, type TicketSummary, type View } from '@tandem/contracts';
import {
  conditionFields,
  conditionOperators,
  customFieldName,
  customFieldOperators,
  fieldsFor,
  matches,
  type CustomFieldType,
  type CustomFieldValue,
  type FieldFor,
  type ViewCondition,
  type ViewSubject,
} from '@tandem/contracts/values';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import type { TicketsTx } from '../schema';
import { toSelection } from './ticket-filters';
import { countTickets, findTickets, narrowed } from './ticket-list.store';

/** The same numbers in each run, so that a failure can be repeated. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
const random = numbers(7);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;

const now_ms = Date.UTC(2026, 10, 27, 12);
const hoursAgo = (hours: number) => new Date(now_ms - hours * 3_600_000).toISOString();

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let stored: ViewSubject[];
let ids: Map<ViewSubject, string>;

const texts = [
  'Billing',
  'BILLING',
  'billing issue',
  '100% sure_thing\\',
  'İstanbul',
  'ΟΔΟΣ 7',
  'Straße',
  'émile',
  'ÉMILE',
  '日本語',
  '😀 hi',
  ' ',
];
const names = [null, ...texts];
const tags = ['VIP', 'vip', 'refund', 'ΣΑΣ', 'a, b', '{x}', 'null'];
const inside = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);

function overrides(): Partial<Ticket> {
  return {
    subject: `${pick(texts)} item`,
    category: pick(names),
    customer_name: pick(names),
    customer_email: pick(['ada@example.com', 'bob@EXAMPLE.org'.toLowerCase(), 'c_%@sub.example.com', 'émile@straße.de']),
    status: pick(['open', 'in_progress', 'waiting_for_customer', 'closed']),
    priority: pick(['low', 'medium', 'high', 'urgent']),
    channel: pick([null, 'email', 'portal', 'api']),
    language: pick([null, 'de', 'pt-BR']),
    tags: [...new Set([pick(tags), pick(tags)])].slice(0, Math.floor(random() * 3)),
    created_at: hoursAgo(pick([1, 5, 24, 48, 200])),
  };
}

const customFields: { key: string; type: CustomFieldType; values: CustomFieldValue[] }[] = [
  { key: 'note', type: 'text', values: texts.filter((each) => each.trim() !== '') },
  { key: 'seats', type: 'number', values: [-2.5, 0, 1, 1.5, 3, 1e15] },
  { key: 'due', type: 'date', values: ['0001-01-01', '2026-03-31', '2026-04-01', '9999-12-31'] },
  { key: 'vip', type: 'yes_no', values: [true, false] },
  { key: 'plan', type: 'choice', values: ['basic', 'pro', 'gold'] },
  { key: 'areas', type: 'choices', values: [['basic'], ['pro', 'basic'], ['basic', 'pro', 'gold']] },
];

/** Columns that a creation does not set. */
const later = () => ({
  updated_at: hoursAgo(pick([0.5, 3, 24])),
  last_comment_at: pick([null, hoursAgo(2), hoursAgo(24)]),
  snoozed_at: pick([null, hoursAgo(1)]),
  sla_breached_at: pick([null, hoursAgo(4)]),
  escalated_at: pick([null, hoursAgo(4)]),
  first_response_at: pick([null, hoursAgo(0.5)]),
  customer_replied_last: pick([true, false]),
  assigned_to: pick([null, organization.agent, organization.admin]),
  reopen_count: pick([0, 1, 3]),
  public_reply_count: pick([0, 2]),
  custom_fields: Object.fromEntries(
    customFields.flatMap(({ key, values }) => (random() < 0.4 ? [] : [[key, pick<CustomFieldValue>(values)] as const])),
  ),
});

beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  const other = await tickets.anOrganization();
  for (let i = 0; i < 120; i += 1) {
    const { id } = await tickets.aTicket(organization, overrides());
    await inside((tx) => tx.updateTable('tickets').set(later()).where('id', '=', id).execute());
  }
  await tickets.aTicket(other, overrides());
  const rows = await inside((tx) => tx.selectFrom('tickets').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute());
  stored = rows.map((row) => ({ ...row, now_ms }));
  ids = new Map(stored.map((subject, i) => [subject, rows[i]!.id]));
}, 120_000);
afterAll(() => tickets?.close());

const words = [
  'billing',
  'BILL',
  'i',
  'i\u0307stanbul',
  'İ',
  'οδος',
  'ΟΔΟσ',
  'ς',
  'strasse',
  'STRASSE',
  'É',
  '%',
  '_',
  '\\',
  '本',
  '😀',
  'null',
  ' item',
  'example',
  '@',
  'example.com',
];
function valueFor(field: FieldFor<'view'>): string | string[] | number | boolean {
  const definition = conditionFields[field];
  const several = (values: readonly string[]) => [...new Set([pick(values), pick(values)])];
  if ('values' in definition) return several(definition.values);
  if (definition.type === 'member') return several([organization.agent, organization.admin.toUpperCase(), organization.manager]);
  if (definition.type === 'set') return several([...tags, 'Refund', 'σασ', 'missing']);
  if (definition.type === 'yes_no') return random() < 0.5;
  if (definition.type === 'number') return pick([-1, 0, 1, 1.5, 2, 3, 1e300, -1e300]);
  if (definition.type === 'hours') return pick([0, 0.5, 2, 3, 24, 48.5, 87_600]);
  return pick(words);
}

function customCondition({ key, type, values } = pick(customFields)): ViewCondition[] {
  const others: CustomFieldValue[] = { text: words, number: [2, 1e9], date: ['2026-01-01'], yes_no: [], choice: [], choices: [] }[
    type as 'text'
  ];
  const value = (op: string) => {
    if (op.endsWith('_of')) return [...new Set([pick(['basic', 'pro', 'Gold', 'missing']), pick(['basic', 'pro'])])];
    return pick([...values, ...others]);
  };
  return customFieldOperators[type].map((op) => ({ field: customFieldName(key), op, ...(!op.endsWith('empty') && { value: value(op) }) }));
}

function condition(depth = 0): ViewCondition {
  const shape = random();
  if (depth < 2 && shape < 0.45) {
    const members = Array.from({ length: random() < 0.05 ? 0 : pick([1, 2, 2, 3]) }, () => condition(depth + 1));
    return shape < 0.25 ? { all: members } : { any: members };
  }
  if (random() < 0.25) return pick(customCondition());
  const field = pick(fieldsFor('view'));
  const op = pick(conditionOperators[conditionFields[field].type]);
  return op.endsWith('empty') ? { field, op } : { field, op, value: valueFor(field) };
}

const expectedFor = (one: ViewCondition) => stored.filter((subject) => matches(one, subject)).map((subject) => ids.get(subject));
const request = { sort: 'newest', after: undefined, skip: 0, rows: 500, reader: null } as const;
const select = (one: ViewCondition, search?: string) =>
  toSelection({ actor: { type: 'user', user_id: organization.agent } } as never, { condition: one, ...(search ? { search } : {}) }, now_ms);

it.each(fieldsFor('view'))('compares %s in SQL as in memory, with every operator', async (field) => {
  const cases = conditionOperators[conditionFields[field].type].flatMap((op) =>
    Array.from({ length: op.endsWith('empty') ? 1 : 8 }, () => ({
      field,
      op,
      ...(op.endsWith('empty') ? {} : { value: valueFor(field) }),
    })),
  );
  await inside(async (tx) => {
    for (const one of cases)
      expect([one, (await findTickets(tx, select(one), request)).map(({ id }) => id)]).toEqual([one, expectedFor(one)]);
  });
});

it.each(customFields)('compares a custom field of the type $type in SQL as in memory, with every operator', async (field) => {
  await inside(async (tx) => {
    for (let i = 0; i < 8; i += 1)
      for (const one of customCondition(field)) {
        const selection = await narrowed(tx, select(one), 'priority');
        const broad = (await findTickets(tx, select(one), request)).map(({ id }) => id);
        const narrow = (await findTickets(tx, selection, request)).map(({ id }) => id);
        expect({ one, broad, narrow, counts: [await countTickets(tx, selection), await countTickets(tx, select(one))] }).toEqual({
          one,
          broad: expectedFor(one),
          narrow: expectedFor(one),
          counts: [expectedFor(one).length, expectedFor(one).length],
        });
      }
  });
});

it('selects the same tickets in lists, counts and searches as in memory, for 400 conditions', async () => {
  let found = 0;
  await inside(async (tx) => {
    for (let i = 0; i < 400; i += 1) {
      const one = condition();
      const expected = expectedFor(one);
      found += expected.length > 0 && expected.length < stored.length ? 1 : 0;
      const listed = (await findTickets(tx, select(one), request)).map(({ id }) => id);
      const searched = (await findTickets(tx, select(one, 'item'), request)).map(({ id }) => id);
      expect({ one, listed, searched, count: await countTickets(tx, select(one)) }).toEqual({
        one,
        listed: expected,
        searched: expected,
        count: expected.length,
      });
    }
  });
  // Most conditions must tell tickets apart.
  expect(found).toBeGreaterThan(200);
}, 60_000);

it.each(['oldest', 'updated', 'priority', 'due', 'updated_oldest'] as const)('selects the same tickets in the order %s', async (sort) => {
  await inside(async (tx) => {
    for (let i = 0; i < 40; i += 1) {
      const one = condition();
      const listed = (await findTickets(tx, select(one), { ...request, sort })).map(({ id }) => id);
      expect([one, listed.sort()]).toEqual([one, expectedFor(one).sort()]);
    }
  });
});

describe('the API', () => {
  const urgent: ViewCondition = { field: 'priority', op: 'is_any_of', value: ['urgent'] };
  const staff = () => asStaff(organization);
  const list = (condition: unknown, more: Record<string, string> = {}) =>
    tickets.call<TicketSummary[]>(listTickets, staff(), {
      query: { condition: typeof condition === 'string' ? condition : JSON.stringify(condition), limit: '100', ...more },
    });

  it('combines a condition with simple filters, also on the same field', async () => {
    const { data, pagination } = await list({ all: [urgent] }, { status: 'open,closed' });
    const expected = stored.filter((each) => each.priority === 'urgent' && ['open', 'closed'].includes(each.status));
    expect(data.map(({ id }) => id)).toEqual(expected.map((each) => ids.get(each)));
    expect(pagination.total).toBe(expected.length);
    expect((await list(urgent, { priority: 'low' })).data).toEqual([]);
  });

  it('finds no ticket of another organization', async () => {
    const { data } = await tickets.call<TicketSummary[]>(listTickets, asStaff(await tickets.anOrganization()), {
      query: { condition: '{"all":[]}' },
    });
    expect(data).toEqual([]);
  });

  it.each([
    ['{', 'condition'],
    ['"x"', 'condition'],
    [{ field: 'text', op: 'contains', value: 'x' }, 'condition.field'],
    [{ all: [{ ...urgent, value: ['huge'] }] }, 'condition.all.0.value'],
    [{ any: Array.from({ length: 45 }, () => urgent) }, 'condition'],
  ])('rejects the condition %j', async (condition, path) => {
    const { status, data } = await list(condition);
    expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
  });

  it('counts the tickets of a view with a condition', async () => {
    const body = { name: 'Urgent', filter: { condition: urgent } };
    const { status, data: view } = await tickets.call<View>(createView, staff(), { body });
    expect([status, view.filter]).toEqual([201, body.filter]);
    const { data } = await tickets.call<{ views: Record<string, { count: number }> }>(countViews, staff());
    expect(data.views[view.id]?.count).toBe(expectedFor(urgent).length);
  });
});
