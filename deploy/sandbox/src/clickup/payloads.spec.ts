import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Caller, type Json, openSandbox, Receiver } from './testing';

// ClickUp's documented bodies and a real response are read from outside the repository, never copied: other clones use the keys below.
const facts = process.env.CLICKUP_FACTS ?? join(__dirname, '../../../../../shared/facts/clickup');
const documented = (name: string): Json => JSON.parse(readFileSync(join(facts, 'webhook-payloads', `${name}.json`), 'utf8')).body;

let api: Caller;
let receiver: Receiver;
let task: string;

beforeAll(async () => {
  [api, receiver] = await Promise.all([openSandbox(), Receiver.open()]);
  await api.post(`/v2/team/${api.sandbox.team('Northwind').id}/webhook`, { endpoint: receiver.url, events: ['*'] });
  const { person } = api.sandbox;
  task = person.createTask('Customer tickets', { name: 'Printer' }).id;
  person.setPriority(task, 2);
  person.setStatus(task, 'In Progress');
  person.describe(task, 'Text');
  person.assign(task, 'manager@demo.test');
  person.setDueDate(task, 1_900_000_000_000);
  person.addTag(task, 'vip');
  person.editComment(person.comment(task, 'Hello'), 'Hello again');
  person.setField(task, api.sandbox.list('Customer tickets').fields[0]?.id ?? '', 'a@b.test');
  person.moveTask(task, 'Bugs');
  person.deleteTask(task);
  person.deleteList('Bugs');
  await api.sandbox.deliveriesSettled();
});
afterAll(async () => {
  await api.sandbox.close();
  receiver.close();
});

const sent = (event: string, field?: string): Json => {
  const found = receiver.received.find(({ body }) => body.event === event && (!field || body.history_items?.[0].field === field));
  if (!found) throw new Error(`No ${event} was sent`);
  return found.body;
};

/** The keys of a value at every depth, with the type of each. Lists are represented by their first entry. */
function shape(value: Json): Json {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, shape(inner)]));
}

const compared: [file: string, event: string, field?: string][] = [
  ['01-taskCreated', 'taskCreated'],
  ['02-taskStatusUpdated-on-create', 'taskStatusUpdated'],
  ['03-taskUpdated-description', 'taskUpdated', 'content'],
  ['05-taskDeleted', 'taskDeleted'],
  ['06-taskPriorityUpdated', 'taskPriorityUpdated'],
  ['07-taskUpdated-priority', 'taskUpdated', 'priority'],
  ['09-taskUpdated-status', 'taskUpdated', 'status'],
  ['10-taskAssigneeUpdated-add', 'taskAssigneeUpdated'],
  ['12-taskTagUpdated', 'taskTagUpdated'],
  ['13-taskMoved', 'taskMoved'],
  ['14-taskCommentPosted', 'taskCommentPosted'],
  ['15-taskUpdated-comment', 'taskUpdated', 'comment'],
  ['16-taskCommentUpdated', 'taskCommentUpdated'],
  ['18-listDeleted', 'listDeleted'],
  ['19-spaceUpdated-after-move', 'spaceUpdated'],
];

(existsSync(facts) ? describe : describe.skip)('ClickUp’s documentation', () => {
  it.each(compared)('shows %s in the shape that the sandbox sends', (...[name, event, field]) => {
    expect(shape(sent(event, field))).toEqual(shape(documented(name)));
  });

  it('shows a task with the keys that the sandbox returns', async () => {
    const real = JSON.parse(readFileSync(join(facts, 'real-get-task.json'), 'utf8'));
    const { id } = api.sandbox.person.createTask('Ideas', { name: 'x' });
    const { body } = await api.get(`/v2/task/${id}`);
    expect(Object.keys(body).sort()).toEqual(Object.keys(real).sort());
    for (const part of ['status', 'list', 'folder', 'project', 'space', 'sharing']) expect(shape(body[part])).toEqual(shape(real[part]));
  });
});

// The keys according to our own definition, for clones without ClickUp's documented bodies.
const withHistory = ['event', 'history_items', 'task_id', 'webhook_id'];
const keys: [event: string, keys: string[]][] = [
  ...[
    'taskCreated',
    'taskStatusUpdated',
    'taskPriorityUpdated',
    'taskAssigneeUpdated',
    'taskTagUpdated',
    'taskMoved',
    'taskCommentPosted',
  ].map((event): [string, string[]] => [event, withHistory]),
  ['taskDeleted', ['event', 'task_id', 'webhook_id']],
  ['listDeleted', ['event', 'list_id', 'webhook_id']],
];

describe('a webhook body', () => {
  it.each(keys)('of %s has the documented keys', (event, expected) => {
    expect(Object.keys(sent(event)).sort()).toEqual(expected);
    for (const item of sent(event).history_items ?? [])
      expect(item).toMatchObject({
        id: expect.stringMatching(/^\d{19}$/),
        type: 1,
        date: expect.stringMatching(/^\d{13}$/),
        source: null,
        user: { id: expect.any(Number) },
      });
  });

  it('for a new task and its first status has the same history item', () => {
    expect(sent('taskStatusUpdated').history_items[0]).toEqual(sent('taskCreated').history_items[0]);
    expect(sent('taskCreated').history_items[0].before).toEqual({ status: null, color: '#000000', type: 'removed', orderindex: -1 });
  });

  it('for an edited comment has the id, date and text of the original', () => {
    const [posted, edited] = ['taskCommentPosted', 'taskCommentUpdated'].map((event) => sent(event).history_items[0]);
    expect([edited.id, edited.date, edited.after]).toEqual([posted.id, posted.date, posted.after]);
    expect([posted.comment.text_content, edited.comment.text_content]).toEqual(['Hello\n', 'Hello again\n']);
  });

  it('for an assignee has no previous value', () => {
    expect(sent('taskAssigneeUpdated').history_items[0]).not.toHaveProperty('before');
  });
});
