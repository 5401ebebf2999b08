import { recordSchemas, type ImportRecord } from '@tandem/contracts';
import type { ImportInput, SourceItem } from '../import-reader';
import { answerItems, categoryRecords } from './zammad-knowledge';
import { KnowledgeBase, State, Ticket, TicketArticle } from './zammad-schemas';
import { ticketItems } from './zammad-ticket';
import type { Person } from './zammad-users';
import { OncePerImport } from './source-items';

const input: ImportInput = {
  files: [],
  api: null,
  statuses: new Map([['pending close', 'resolved']]),
  priorities: new Map(),
  custom_fields: new Map([
    ['service_number', 'text'],
    ['affected_area', 'choice'],
  ]),
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
/** From https://docs.zammad.org/en/latest/api/ticket/states.html: without `expand` there is only the id of the type. */
const states = [
  { id: 4, state_type_id: 5, name: 'closed', next_state_id: null },
  { id: 5, state_type_id: 6, name: 'merged', next_state_id: null },
  { id: 7, state_type: 'pending action', state_type_id: 4, name: 'pending close', next_state_id: 4 },
].map((each) => State.parse(each));
const context = {
  input,
  base: 'https://support.example.com',
  states: new Map(states.map((state) => [state.id, state])),
  priorities: new Map([[2, '2 normal']]),
  once: new OncePerImport(),
};
beforeEach(() => (context.once = new OncePerImport()));

/** The example of https://docs.zammad.org/en/latest/api/intro.html, shortened, with custom attributes. */
const ticket = Ticket.parse({
  id: 3, group_id: 1, priority_id: 2, state_id: 4, organization_id: 3, number: '71003', title: 'Order 787556', owner_id: 3, customer_id: 7,
  note: null, close_at: '2021-02-27T08:00:00.000Z', create_article_type_id: 1, create_article_sender_id: 2, article_count: 2, preferences: {},
  updated_by_id: 4, created_by_id: 7, created_at: '2021-02-24T14:44:43.828Z', updated_at: '2021-07-26T14:44:43.906Z', article_ids: [5, 6],
  ticket_time_accounting_ids: [], group: 'Sales', organization: 'Awesome Customer Inc.', ticket_time_accounting: [], state: 'closed',
  priority: '2 normal', owner: 'chris@chrispresso.com', customer: 'samuel@example.com', created_by: 'samuel@example.com',
  updated_by: 'jacob@chrispresso.com', create_article_type: 'email', create_article_sender: 'Customer', service_number: 'S-1',
  affected_area: '', floor: 4,
}); // prettier-ignore
const people = new Map<number, Person>([
  [3, { email: 'chris@chrispresso.com', first_name: 'Christopher', last_name: 'Miller', isStaff: true }],
  [7, { email: 'samuel@example.com', first_name: 'Samuel', last_name: 'Lee', isStaff: false }],
]);
const article = (id: number, rest: object) =>
  TicketArticle.parse({
    id,
    ticket_id: 3,
    from: 'Samuel Lee <samuel@example.com>',
    to: 'help@example.com',
    cc: '',
    subject: 'Order',
    body: `<div>Text ${id}</div>`,
    content_type: 'text/html',
    type: 'email',
    sender: 'Customer',
    internal: false,
    created_by_id: 7,
    origin_by_id: null,
    attachments: [],
    created_at: `2021-02-24T15:00:0${id}.000Z`,
    ...rest,
  });
const articles = [
  article(6, {
    sender: 'Agent',
    created_by_id: 3,
    from: 'Christopher Miller via Help <help@example.com>',
    cc: 'Bo <Bo@example.com>, samuel@example.com',
  }),
  article(5, {
    body: 'Hello<br><img src="/api/v1/ticket_attachment/3/5/125?view=inline" style="width:1px">',
    attachments: [
      { id: 123, filename: 'order.pdf', size: '2048', preferences: { 'Mime-Type': 'application/pdf' } },
      { id: 124, filename: 'message.html', size: '900', preferences: { 'content-alternative': true, 'Mime-Type': 'text/html' } },
    ],
  }),
  article(7, { sender: 'Agent', type: 'note', internal: true, created_by_id: 3, content_type: 'text/plain', body: 'Call <b> back' }),
  article(8, { sender: 'System', type: 'note', created_by_id: 1, from: '-', body: 'Reminder' }),
  article(9, { type: 'phone', created_by_id: 3, origin_by_id: 7 }),
];
const source = { ticket, articles, tags: ['order'], mergedInto: null, people };

type DataOf<Kind extends ImportRecord['kind']> = Extract<ImportRecord, { kind: Kind }>['data'];
/** The records of a kind, checked by its schema. */
const recordsOf = <Kind extends ImportRecord['kind']>(items: SourceItem[], kind: Kind): DataOf<Kind>[] =>
  items.flatMap((each) =>
    each.type === 'record' && each.record.kind === kind ? [recordSchemas[kind].parse(each.record.data) as DataOf<Kind>] : [],
  );

it('converts a ticket with its values, and the first article of the customer to its description', () => {
  const items = ticketItems(source, context);
  expect(recordsOf(items, 'ticket')).toEqual([
    {
      key: '3',
      number: '71003',
      subject: 'Order 787556',
      description: 'Hello',
      status: 'closed',
      priority: 'medium',
      category: 'Sales',
      tags: ['order'],
      channel: 'email',
      customer: { email: 'samuel@example.com', name: 'Samuel Lee' },
      cc: ['bo@example.com'],
      language: null,
      assignee: '3',
      custom_fields: { service_number: 'S-1' },
      created_at: '2021-02-24T14:44:43.828Z',
      updated_at: '2021-07-26T14:44:43.906Z',
      resolved_at: '2021-02-27T08:00:00.000Z',
      url: 'https://support.example.com/#ticket/zoom/3',
      merged_into: null,
    },
  ]);
  expect(items.filter(({ type }) => type === 'value')).toEqual([
    { type: 'value', field: 'priority', value: '2 normal', suggestion: 'medium' },
  ]);
  expect(items.flatMap((each) => (each.type === 'problem' ? [each.problem] : []))).toEqual([
    { code: 'value.left_out', kind: 'ticket', key: '3', field: 'floor', value: '4' },
  ]);
});

it('converts articles to comments by their sender, and internal ones to notes', () => {
  const comments = recordsOf(ticketItems(source, context), 'comment');
  expect(comments.map(({ key, author, is_internal, content }) => [key, author, is_internal, content])).toEqual([
    ['6', { kind: 'teammate', key: '3' }, false, 'Text 6'],
    ['7', { kind: 'teammate', key: '3' }, true, 'Call <b> back'],
    ['8', { kind: 'other', name: '-' }, false, 'Reminder'],
    ['9', { kind: 'customer', email: 'samuel@example.com' }, false, 'Text 9'],
  ]);
});

it('lists files and pictures in texts, but not the HTML original of an email', () => {
  const url = 'https://support.example.com/api/v1/ticket_attachment/3/5';
  expect(recordsOf(ticketItems(source, context), 'file')).toMatchObject([
    { key: '123', ticket: '3', comment: null, file_name: 'order.pdf', size: 2_048, url: `${url}/123` },
    { key: '125', ticket: '3', comment: null, file_name: 'image-125', size: null, url: `${url}/125` },
  ]);
});

it('maps states by their type if the name is not known, and merged tickets to closed ones', () => {
  const change = (rest: object) => ticketItems({ ...source, ticket: { ...ticket, ...rest }, mergedInto: 9 }, context);
  expect(recordsOf(change({ state_id: 7, state: 'pending close' }), 'ticket')).toMatchObject([{ status: 'resolved' }]);
  expect(change({ state_id: 7, state: 'pending close' })).toContainEqual({
    type: 'value',
    field: 'status',
    value: 'pending close',
    suggestion: 'waiting_for_customer',
  });
  expect(recordsOf(change({ state_id: 5, state: 'merged' }), 'ticket')).toMatchObject([{ status: 'closed', merged_into: '9' }]);
  expect(recordsOf(change({ priority: '4 disaster' }), 'ticket')).toMatchObject([{ priority: 'urgent' }]);
  expect(recordsOf(change({ priority: '1 low' }), 'ticket')).toMatchObject([{ priority: 'low' }]);
});

it('converts answers and categories of the knowledge base', () => {
  /** From https://docs.zammad.org/en/latest/api/knowledgebase.html. */
  const knowledge = KnowledgeBase.parse({
    KnowledgeBaseLocale: { '1': { id: 1, knowledge_base_id: 1, system_locale_id: 1, primary: true } },
    KnowledgeBaseCategory: {
      '1': { id: 1, knowledge_base_id: 1, parent_id: null, position: 1, translation_ids: [1] },
      '2': { id: 2, knowledge_base_id: 1, parent_id: null, position: 0, translation_ids: [2] },
    },
    KnowledgeBaseCategoryTranslation: {
      '1': { id: 1, title: 'Category 1', kb_locale_id: 1, category_id: 1 },
      '2': { id: 2, title: 'Category 2', kb_locale_id: 1, category_id: 2 },
    },
    KnowledgeBaseAnswer: {
      '1': {
        id: 1,
        category_id: 1,
        internal_at: '2025-03-12T14:52:38.014Z',
        archived_at: null,
        published_at: null,
        created_at: '2025-03-12T14:50:48.732Z',
        updated_at: '2025-03-12T14:52:38.022Z',
        attachments: [],
      },
    },
    KnowledgeBaseAnswerTranslation: {
      '1': {
        id: 1,
        title: 'Answer 1',
        kb_locale_id: 1,
        answer_id: 1,
        content_id: 1,
        created_at: '2025-03-12T14:50:48.750Z',
        updated_at: '2025-03-12T14:51:11.559Z',
      },
    },
  });
  expect(categoryRecords(knowledge).map(({ key, position }) => [key, position])).toEqual([
    ['2', 1],
    ['1', 2],
  ]);
  const answer = knowledge.KnowledgeBaseAnswer!['1']!;
  const translation = knowledge.KnowledgeBaseAnswerTranslation!['1']!;
  const html = 'This is the body <img src="/api/v1/attachments/9">';
  const text = { body: html, base: context.base, at: { file: '', line: null } };
  const items = (rest: object) => answerItems({ ...answer, ...rest }, translation, text);
  const record = (rest: object) => recordsOf(items(rest), 'article')[0];
  expect(recordsOf(items({}), 'file')).toMatchObject([
    { article: '1', ticket: null, url: 'https://support.example.com/api/v1/attachments/9' },
  ]);
  expect(record({})).toMatchObject({
    key: '1',
    title: 'Answer 1',
    body: expect.stringMatching(/^This is the body !\[\]\(.+\)$/),
    category: '1',
    visibility: 'internal',
    state: 'published',
  });
  expect(record({ published_at: '2025-03-12T14:52:38.014Z' })).toMatchObject({ visibility: 'public', state: 'published' });
  expect(record({ archived_at: '2025-03-13T14:52:38.014Z' })).toMatchObject({ state: 'draft' });
  expect(record({ internal_at: null })).toMatchObject({ visibility: 'public', state: 'draft' });
});
