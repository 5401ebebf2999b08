import { taskRules, ticketStatuses, type SyncField, type TicketStatus } from '@tandem/contracts';
import type { TaskSnapshot } from '../provider/task-tool';
import { clickup } from '../provider/clickup/clickup';
import { github } from '../provider/github/github';
import type { IntegrationRow, TicketCopy } from '../schema';
import { commentMarker, hasMarker, isOurs } from './comment-text';
import { compare } from './compare';
import { finishedReply } from '../link/finished-reply';
import { descriptionOf, draftOf, patchOf } from '../push/draft';
import { fieldStates, ticketView, taskView, type Pair } from './fields';
import { followRenamed, outcomeOf, renamed, withRenamed } from './status';
import { backOffMs } from '../engine/back-off';

const now = '2026-11-22T10:00:00.000Z';
const status = (name: string, category: TaskSnapshot['status']['category']) => ({ id: name, name, category, color: null });
const statuses = [
  status('to do', 'open'),
  status('In Progress', 'active'),
  status('Review', 'active'),
  status('Complete', 'done'),
  status('Closed', 'closed'),
];
const user = (id: string, email: string | null) => ({ id, name: id, email });

const aCopy = (overrides: Partial<TicketCopy> = {}): TicketCopy => ({
  organization_id: 'o',
  ticket_id: 't-1',
  sequence: 1,
  ticket_number: 'NW-0012',
  subject: 'Fire',
  description: 'It burns.',
  status: 'open',
  priority: 'medium',
  category: null,
  tags: [],
  customer_name: 'Carla',
  customer_email: 'Carla@example.com',
  assignee_email: null,
  due_at: null,
  custom_fields: {},
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...overrides,
});
const aTask = (overrides: Partial<TaskSnapshot> = {}): TaskSnapshot => ({
  id: '86a',
  url: 'https://x/t/86a',
  list_id: '1',
  list_name: 'List',
  title: 'Fire',
  description: 'It burns.',
  status: statuses[0]!,
  priority: 'medium',
  tags: [],
  assignees: [],
  due_at: null,
  updated_at: '2026-01-02T00:00:00.000Z',
  ...overrides,
});
const anIntegration = (overrides: Partial<IntegrationRow> = {}) =>
  ({
    id: 'i',
    organization_id: 'o',
    list_name: 'List',
    list_fields: [],
    field_mappings: {},
    closed_meanings: {},
    statuses,
    conflict_rule: 'latest',
    custom_fields_refused: false,
    status_mappings: { open: 'To Do', in_progress: 'In Progress', waiting_for_customer: 'REVIEW', resolved: 'Complete', closed: null },
    on_task_finished: 'tell_customer',
    rules: { create: taskRules[0], categories: [], tags: [], priorities: [] },
    ...overrides,
  }) as IntegrationRow;
const aLinkedTicket = (overrides: Partial<Pair> = {}): Pair => {
  const pair = { tool: clickup, integration: anIntegration(), copy: aCopy(), task: aTask(), members: [], ...overrides };
  const [ticket, task] = [ticketView(pair.copy), taskView(pair.task, {})];
  const agreed = Object.fromEntries(
    (Object.keys(ticket) as SyncField[]).map((field) => [field, { ticket: ticket[field], task: task[field] }]),
  );
  return { shadow: agreed, ...pair };
};

describe('a status for the task', () => {
  it.each([
    ['open', 'to do'],
    ['in_progress', 'In Progress'],
    ['waiting_for_customer', 'Review'],
    ['resolved', 'Complete'],
    ['closed', undefined],
  ] as const)('%s is %s, spelled as in the list', (from, to) => expect(fieldStates(aLinkedTicket()).status.toTask(from)).toBe(to));

  it('does not reopen a finished task when the customer is asked', () => {
    const finished = aLinkedTicket({ task: aTask({ status: statuses[3]! }) });
    expect(fieldStates(finished).status.toTask('waiting_for_customer')).toBe('Complete');
    expect(fieldStates(finished).status.toTask('in_progress')).toBe('In Progress');
  });
});

describe('a description that the task contains in part', () => {
  const both = { field_mappings: { description: { direction: 'both' } } } as Partial<IntegrationRow>;
  const begins = 'It began…\n\nFull text in Tandem: https://t/tickets/t-1';
  const edited = (copy: Partial<TicketCopy>, description: string) => {
    const before = aLinkedTicket({
      tool: github,
      integration: anIntegration(both),
      copy: aCopy(copy),
      task: aTask({ description: begins }),
    });
    return compare({ ...before, task: aTask({ description }) }, now);
  };

  it('is not a difference, and edits of it in the tool never replace the whole text', () => {
    const long = { description: 'It began at noon. '.repeat(5_000) };
    for (const description of [begins, `${begins} Edited`, 'Written anew', ''])
      expect(edited(long, description)).toMatchObject({ to_task: {}, changes: {}, notes: [] });
  });

  it('does not sync again even after the ticket’s text has become short', () => {
    const pair = aLinkedTicket({
      tool: github,
      integration: anIntegration(both),
      copy: aCopy({ description: 'Long' }),
      task: aTask({ description: begins }),
    });
    const short = { ...pair, copy: aCopy({ description: 'Short' }), task: aTask({ description: `${begins} Edited` }) };
    const { to_task, changes } = compare(short, now);
    expect([to_task, changes]).toEqual([{ description: 'Short' }, {}]);
  });

  it('syncs in both directions again once the task contains all of it', () => {
    expect(edited({ description: 'Short' }, 'Edited').changes).toEqual({ description: { from: 'Short', to: 'Edited' } });
  });
});

describe('the end of a task', () => {
  const notPlanned = { id: 'np', name: 'Not planned', category: 'closed' as const, color: null, meaning: 'not_planned' as const };
  const means = (closed_meanings: IntegrationRow['closed_meanings'], end: TaskSnapshot['status']) =>
    outcomeOf(anIntegration({ statuses: [...statuses, notPlanned], closed_meanings }), end);

  it('is finished work, unless the tool or the admin defines otherwise; the admin’s choice takes precedence', () => {
    expect(means({}, statuses[1]!)).toBeUndefined();
    expect([means({}, statuses[3]!), means({}, statuses[4]!), means({}, notPlanned)]).toEqual(['finished', 'finished', 'not_planned']);
    expect([means({ Closed: 'not_planned' }, statuses[4]!), means({ np: 'finished' }, notPlanned)]).toEqual(['not_planned', 'finished']);
    expect(means({ Closed: 'not_planned' }, { ...statuses[4]!, name: 'CLOSED' })).toBe('not_planned');
    expect(means({}, status('constructor', 'closed'))).toBe('finished');
  });
});

describe('a status for the ticket', () => {
  const from = (name: string, copy: Partial<TicketCopy> = {}, integration: Partial<IntegrationRow> = {}) => {
    const task = aTask({ status: statuses.find((each) => each.name === name) ?? status(name, 'active') });
    return fieldStates(aLinkedTicket({ task, copy: aCopy(copy), integration: anIntegration(integration) })).status.toTicket(name);
  };
  it('is the one that is mapped to it', () => expect(from('Review')).toBe('waiting_for_customer'));
  it('keeps the current one if several are mapped to it', () => {
    const status_mappings = { open: 'To Do', in_progress: 'to do', waiting_for_customer: null, resolved: null, closed: null };
    expect(from('to do', { status: 'in_progress' }, { status_mappings })).toBe('in_progress');
    expect(from('to do', { status: 'waiting_for_customer' }, { status_mappings })).toBe('open');
  });
  it('is chosen by category if none is mapped', () => {
    expect(from('Blocked')).toBe('in_progress');
    expect(from('Closed', {}, { on_task_finished: 'set_status' })).toBe('closed');
  });
  it('is undefined for a finished task whose customer is still to be notified', () => {
    expect(from('Complete')).toBeUndefined();
    expect(from('Closed')).toBeUndefined();
    expect(from('Complete', {}, { on_task_finished: 'set_status' })).toBe('resolved');
  });
  it('exists for every other status', () => {
    for (const { name } of statuses) {
      const status = from(name, {}, { on_task_finished: 'set_status' });
      expect(ticketStatuses).toContain(status as TicketStatus);
    }
  });
});

describe('a status that is renamed in the tool', () => {
  const inList = (id: string, name: string) => ({ id, name, category: 'active' as const, color: null });
  const before = [inList('1', 'Doing'), inList('2', 'Review'), inList('3', 'Gone'), status('Nameless', 'active')];
  const after = [inList('1', 'Review'), inList('2', 'doing'), inList('4', 'Gone'), status('Other', 'active')];

  it('is renamed in the mapping, even if two statuses swap their names', () => {
    const names = renamed(before, after);
    expect([...names]).toEqual([
      ['Doing', 'Review'],
      ['Review', 'doing'],
    ]);
    const mappings = { open: null, in_progress: 'DOING', waiting_for_customer: 'Review', resolved: 'Gone', closed: 'Nameless' };
    expect(withRenamed(mappings, names)).toEqual({ ...mappings, in_progress: 'Review', waiting_for_customer: 'doing' });
  });

  it('is not a change to the task', () => {
    const shadow = { status: { ticket: 'in_progress', task: 'Doing' } };
    expect(followRenamed(shadow, { status: before[0]! }, { status: after[0]! })).toEqual({
      status: { ticket: 'in_progress', task: 'Review' },
    });
    for (const [seen, now] of [
      [before[0], after[1]],
      [before[3], after[3]],
      [before[1], after[1]],
    ])
      expect(followRenamed(shadow, { status: seen! }, { status: now! })).toEqual(shadow);
  });

  it('is the mapped one before the list is read again', () => {
    const status_mappings = { open: null, in_progress: 'Doing', waiting_for_customer: null, resolved: null, closed: null };
    const pair = aLinkedTicket({
      task: aTask({ status: inList('1', 'At work') }),
      integration: anIntegration({ statuses: before, status_mappings }),
    });
    expect(fieldStates(pair).status.toTask('in_progress')).toBe('At work');
    expect(fieldStates({ ...pair, copy: aCopy({ status: 'open' }) }).status.toTicket('At work')).toBe('in_progress');
  });
});

describe('an assignee', () => {
  const members = [user('1', 'Ada@acme.test'), user('2', 'bob@acme.test')];
  it('is added to the task without removing others, and replaces the previous one', () => {
    const pair = aLinkedTicket({
      copy: aCopy({ assignee_email: 'ada@acme.test' }),
      task: aTask({ assignees: [user('1', 'ada@acme.test'), user('9', null)] }),
      members,
    });
    expect(fieldStates(pair).assignee.toTask('bob@acme.test')).toEqual(['bob@acme.test', 'id:9']);
    expect(patchOf(pair, { assignee: ['bob@acme.test', 'id:9'] }, 'https://t')).toEqual({ assignees: { add: ['2'], remove: ['1'] } });
    expect(fieldStates(pair).assignee.toTask(null)).toEqual(['id:9']);
  });
  it('is removed from the task when the ticket is unassigned, even after an assignee who is unknown to the tool', () => {
    const before = aLinkedTicket({ task: aTask({ assignees: [user('1', 'ada@acme.test')] }), members });
    const shadow = { ...before.shadow, assignee: { ticket: 'ada@acme.test', task: ['ada@acme.test'] } };
    const unknown = compare({ ...before, shadow, copy: aCopy({ assignee_email: 'eve@acme.test' }) }, now);
    expect(unknown).toMatchObject({ to_task: {}, notes: [{ level: 'warning', field: 'assignee' }] });
    const again = compare({ ...before, shadow: unknown.shadow, copy: aCopy({ assignee_email: 'eve@acme.test' }) }, now);
    expect(again).toMatchObject({ to_task: {}, notes: [] });
    const unassigned = compare({ ...before, shadow: again.shadow, copy: aCopy({ assignee_email: null }) }, now);
    expect(unassigned.to_task).toEqual({ assignee: [] });
  });
  it('who is unknown to the tool has no equivalent', () =>
    expect(fieldStates(aLinkedTicket({ members })).assignee.toTask('eve@acme.test')).toBeUndefined());
  it('for the ticket is the only one with an address', () => {
    const { toTicket } = fieldStates(aLinkedTicket()).assignee;
    expect([toTicket(['a@x']), toTicket([]), toTicket(['a@x', 'b@x']), toTicket(['id:9'])]).toEqual(['a@x', null, undefined, undefined]);
  });
  it('stays undecided until the assignable users are known', () => {
    const before = aLinkedTicket();
    const asked = compare({ ...before, members: undefined, copy: aCopy({ assignee_email: 'ada@acme.test' }) }, now);
    expect(asked).toMatchObject({ is_open: true, to_task: {}, notes: [], shadow: { assignee: { ticket: null } } });
  });
});

describe('a priority', () => {
  it('that the task does not have changes nothing and is not logged', () => {
    const pair = { ...aLinkedTicket(), task: aTask({ priority: null }) };
    expect(compare(pair, now)).toMatchObject({ changes: {}, to_task: {}, notes: [] });
  });
});

describe('a text', () => {
  it('is compared without line endings and surrounding whitespace', () => {
    const pair = aLinkedTicket({ copy: aCopy({ description: 'One\r\nTwo  \r\n' }), task: aTask({ description: 'One\nTwo' }) });
    expect(fieldStates(pair).description).toMatchObject({ ticket: 'One\nTwo', task: 'One\nTwo' });
  });
  it('that is too long for a ticket is cut after a whole character', () => {
    const { title, description } = fieldStates(aLinkedTicket());
    expect(title.toTicket(`x${'😀'.repeat(200)}`)).toBe(`x${'😀'.repeat(127)}`);
    expect(description.toTicket(`x${'😀'.repeat(60_000)}`)).toBe(`x${'😀'.repeat(49_999)}`);
    expect(description.toTicket(null)).toBeNull();
  });
  it('is sent to tickets with the exact previous value', () => {
    const copy = aCopy({ description: 'One\r\nTwo ', subject: 'Fire ' });
    const integration = anIntegration({ field_mappings: { description: { direction: 'both' } } });
    const pair = { ...aLinkedTicket({ copy, integration }), task: aTask({ description: 'Three', title: 'Smoke' }) };
    expect(compare(pair, now).changes).toEqual({
      description: { from: 'One\r\nTwo ', to: 'Three' },
      subject: { from: 'Fire ', to: 'Smoke' },
    });
  });
});

describe('a draft', () => {
  it('contains the fields that are sent, and names the customer if no field does', () => {
    const draft = draftOf(aLinkedTicket({ copy: aCopy({ tags: ['a'], priority: 'high' }) }), 'https://tandem.test/');
    expect(draft).toMatchObject({ title: 'Fire', status: 'to do', priority: 'high', tags: ['a'] });
    expect(draft.description).toEqual({
      text: 'It burns.',
      lines: [
        { label: 'Ticket', text: 'NW-0012', url: 'https://tandem.test/tickets/t-1' },
        { label: 'Customer', text: 'Carla, Carla@example.com' },
      ],
      whole: 'https://tandem.test/tickets/t-1',
    });
  });
  it('sets the custom field for the customer, unless the tool has refused it', () => {
    const field_mappings = { customer_email: { direction: 'to_task', field_id: 'f' } } as const;
    const draft = draftOf(aLinkedTicket({ integration: anIntegration({ field_mappings }) }), 'https://t');
    expect(draft.customer_email).toEqual({ field_id: 'f', value: 'Carla@example.com' });
    expect(draft.description.lines).toHaveLength(1);
    const refused = aLinkedTicket({ integration: anIntegration({ field_mappings, custom_fields_refused: true }) });
    expect(draftOf(refused, 'https://t').customer_email).toBeUndefined();
    expect(descriptionOf(refused, null, 'https://t').lines).toHaveLength(2);
  });
  it('is not rewritten for a new customer address only, and keeps the text below our lines', () => {
    const before = aLinkedTicket({ task: aTask({ below: 'Call first.' }) });
    const pair = { ...before, copy: aCopy({ customer_email: 'dora@example.com' }) };
    expect(compare(pair, now)).toMatchObject({ to_task: {}, notes: [{ level: 'info', field: 'customer_email' }] });
    expect(patchOf(pair, { description: 'New' }, 'https://t')).toMatchObject({ description: { text: 'New', below: 'Call first.' } });
  });
  it('omits the fields that are not sent', () => {
    const off = Object.fromEntries(
      ['status', 'priority', 'description', 'tags', 'assignee', 'customer_email', 'due_at'].map((field) => [field, { direction: 'off' }]),
    );
    const copy = aCopy({ tags: ['a'], assignee_email: 'ada@acme.test', due_at: '2026-01-01T00:00:00.000Z' });
    const draft = draftOf(aLinkedTicket({ copy, integration: anIntegration({ field_mappings: off }) }), 'https://t');
    expect(draft).toEqual({
      title: 'Fire',
      description: { text: null, lines: [expect.objectContaining({ label: 'Ticket' })], whole: 'https://t/tickets/t-1' },
      tags: [],
      assignee_ids: [],
      due_at: null,
    });
  });
});

describe('a drafted reply', () => {
  it('replaces known variables and leaves other braces unchanged', () => {
    const template = '{customer_name} {subject} {ticket_number} {task_title} {constructor} {x}';
    expect(finishedReply(template, aCopy(), aTask({ title: 'Done' }))).toBe('Carla Fire NW-0012 Done {constructor} {x}');
    expect(finishedReply(null, aCopy({ customer_name: null }), null)).toContain('Hello Carla@example.com,');
  });
  it('does not replace variables in the customer’s text', () =>
    expect(finishedReply('{subject}', aCopy({ subject: '{ticket_number}' }), null)).toBe('{ticket_number}'));
});

describe('the marker of our comments', () => {
  const marker = commentMarker('NW-0012', '01890000-0000-7000-8000-0000c3f9a1b2');
  it('is recognized if the tool trims or escapes it', () => {
    expect(marker).toBe('— via Tandem · NW-0012 · c3f9a1b2');
    const text = `Carla (customer): hello\n\n${marker}`;
    for (const shown of [text, `${text}\n`, text.replace('\n\n', '\n')])
      expect([isOurs(shown), hasMarker(shown, marker)]).toEqual([true, true]);
  });
  it('is not recognized in other users’ quotes', () => {
    for (const text of ['', 'hello', `${marker} — what is this?`, 'via Tandem']) expect(isOurs(text)).toBe(false);
    expect(hasMarker(`x\n\n${marker}`, commentMarker('NW-0012', '01890000-0000-7000-8000-0000ffffffff'))).toBe(false);
  });
});

describe('a back-off', () => {
  it('doubles from a second to five minutes, with 20 % jitter', () => {
    expect([1, 2, 3, 9, 10, 1_000].map((failures) => backOffMs(failures, 0.5))).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
    expect([backOffMs(1, 0), backOffMs(1, 1)]).toEqual([800, 1_200]);
  });
});
