import { recordSchemas, type ImportRecord } from '@tandem/contracts';
import type { ImportInput, SourceItem } from '../import-reader';
import { articleItems, categoryRecord } from './chatwoot-articles';
import { Conversation, Message } from './chatwoot-schemas';
import { conversationItems } from './chatwoot-ticket';
import { OncePerImport } from './source-items';

const input: ImportInput = {
  files: [],
  api: null,
  statuses: new Map([['snoozed', 'in_progress']]),
  priorities: new Map(),
  custom_fields: new Map([
    ['order', 'text'],
    ['seats', 'number'],
    ['due', 'date'],
  ]),
  signal: new AbortController().signal,
  onProgress: () => undefined,
};
const context = { input, base: 'https://chat.example.com', account: 3, agents: new Set(['7']), once: new OncePerImport() };
beforeEach(() => (context.once = new OncePerImport()));

/** The example of https://developers.chatwoot.com/api-reference/conversations/conversations-list, shortened, with values. */
const conversation = Conversation.parse({
  id: 41,
  account_id: 3,
  uuid: 'fb1c1a2e-5f0e-4a53-9f36-1f2e0a1c2b3d',
  additional_attributes: { mail_subject: 'Invoice 2024-11', browser_language: 'pt_BR' },
  custom_attributes: { order: 'A-17', seats: '12', due: '2024-11-30T00:00:00.000Z', tier: 'gold', empty: null },
  inbox_id: 5,
  labels: ['billing'],
  muted: false,
  snoozed_until: null,
  status: 'snoozed',
  created_at: 1_700_000_000,
  updated_at: 1_700_000_100.5,
  last_activity_at: 1_700_000_050,
  priority: 'high',
  meta: {
    sender: { id: 9, name: 'Ann Lee', email: 'ann@example.com', phone_number: null, identifier: null },
    channel: 'Channel::Email',
    assignee: { id: 7, name: 'Sam Hill', email: 'sam@chat.example.com', role: 'administrator' },
    team: { id: 1, name: 'finance' },
    hmac_verified: false,
  },
});

const message = (id: number, rest: object) =>
  Message.parse({ id, content: `Text ${id}`, message_type: 0, created_at: 1_700_000_000 + id, private: false, ...rest });
const agent = { id: 7, name: 'Sam Hill', type: 'user' };
const messages = [
  message(4, { message_type: 1, sender: agent, private: true, content: 'Ask **finance**' }),
  message(1, {
    sender: { id: 9, name: 'Ann Lee', email: 'ann@example.com', type: 'contact' },
    content_attributes: { email: { cc: ['Bo@example.com'] } },
  }),
  message(2, { message_type: 2, content: 'Conversation was reopened by Sam Hill' }),
  message(3, {
    message_type: 1,
    sender: agent,
    attachments: [
      {
        id: 81,
        message_id: 3,
        file_type: 'file',
        account_id: 3,
        data_url: 'https://chat.example.com/rails/active_storage/blobs/redirect/abc/Rechnung%202024.pdf',
        thumb_url: '',
        file_size: 1_234,
      },
      {
        id: 82,
        message_id: 3,
        file_type: 'location',
        data_url: 'https://maps.example.com/?q=1,2',
        coordinates_lat: 1,
        fallback_title: 'Office',
        coordinates_long: 2,
      },
    ],
  }),
  message(5, { message_type: 3, sender: null, content: 'Please rate the conversation' }),
  message(6, { message_type: 1, sender: { id: 99, name: 'Former Agent', type: 'user' } }),
  message(7, { content: 'This message was deleted', content_attributes: { deleted: true } }),
];

type DataOf<Kind extends ImportRecord['kind']> = Extract<ImportRecord, { kind: Kind }>['data'];
/** The records of a kind, checked by its schema. */
const recordsOf = <Kind extends ImportRecord['kind']>(items: SourceItem[], kind: Kind): DataOf<Kind>[] =>
  items.flatMap((each) =>
    each.type === 'record' && each.record.kind === kind ? [recordSchemas[kind].parse(each.record.data) as DataOf<Kind>] : [],
  );

it('converts a conversation to a ticket with its values, and the first message of the contact to its description', () => {
  const items = conversationItems(conversation, messages, context);
  expect(recordsOf(items, 'ticket')).toEqual([
    {
      key: '41',
      number: '41',
      subject: 'Invoice 2024-11',
      description: 'Text 1',
      status: 'in_progress',
      priority: 'high',
      category: 'finance',
      tags: ['billing'],
      channel: 'email',
      customer: { email: 'ann@example.com', name: 'Ann Lee' },
      cc: ['bo@example.com'],
      language: 'pt-BR',
      assignee: '7',
      custom_fields: { order: 'A-17', seats: 12, due: '2024-11-30' },
      created_at: '2023-11-14T22:13:20.000Z',
      updated_at: '2023-11-14T22:15:00.500Z',
      resolved_at: null,
      url: 'https://chat.example.com/app/accounts/3/conversations/41',
    },
  ]);
  expect(items.filter(({ type }) => type === 'value')).toEqual([
    { type: 'value', field: 'status', value: 'snoozed', suggestion: 'waiting_for_customer' },
  ]);
  expect(items.flatMap((each) => (each.type === 'problem' ? [each.problem] : []))).toEqual([
    { code: 'value.left_out', kind: 'ticket', key: '41', field: 'tier', value: 'gold' },
  ]);
  // Once per import.
  expect(conversationItems(conversation, [], context).filter(({ type }) => type === 'problem')).toEqual([]);
});

it('converts messages to comments, notes to internal ones, and leaves out entries of the timeline and deleted messages', () => {
  const items = conversationItems(conversation, messages, context);
  expect(recordsOf(items, 'comment').map(({ key, author, is_internal, content }) => [key, author, is_internal, content])).toEqual([
    ['3', { kind: 'teammate', key: '7' }, false, 'Text 3\n\nOffice (1, 2) https://maps.example.com/?q=1,2'],
    ['4', { kind: 'teammate', key: '7' }, true, 'Ask **finance**'],
    ['5', { kind: 'other', name: null }, false, 'Please rate the conversation'],
    ['6', { kind: 'other', name: 'Former Agent' }, false, 'Text 6'],
  ]);
  expect(recordsOf(items, 'file')).toMatchObject([
    { key: '81', ticket: '41', comment: '3', file_name: 'Rechnung 2024.pdf', size: 1_234, entry: null },
  ]);
});

it('uses the first message as the subject of a conversation without one', () => {
  const chat = { ...conversation, additional_attributes: {}, status: 'resolved', priority: null };
  const [ticket] = recordsOf(conversationItems(chat, [message(1, { content: `\n${'word '.repeat(40)}` })], context), 'ticket');
  expect(ticket!.subject).toBe(`${'word '.repeat(19).trim()}…`);
  expect(ticket).toMatchObject({ status: 'resolved', priority: 'medium' });
  expect(recordsOf(conversationItems(chat, [], context), 'ticket')).toMatchObject([{ subject: 'Conversation 41', description: null }]);
});

it('converts articles with their pictures, and categories of a portal', () => {
  const article = {
    id: 1,
    title: 'Refunds',
    description: 'How',
    content:
      '# Refunds\n![Menu](https://chat.example.com/rails/blobs/abc/the%20menu.png) and ![](https://chat.example.com/rails/blobs/abc/the%20menu.png)',
    status: 'archived',
    category: { id: 2, locale: 'de' },
    updated_at: 1_700_000_000,
  };
  const at = { file: '', line: null };
  const items = articleItems(article, 'en', at);
  const body = '# Refunds\n![Menu](1-the-menu.png) and ![](1-the-menu.png)';
  expect(recordsOf(items, 'article')).toMatchObject([{ key: '1', language: 'de', category: '2', state: 'draft', body }]);
  expect(recordsOf(items, 'file')).toMatchObject([
    { article: '1', ticket: null, file_name: '1-the-menu.png', url: 'https://chat.example.com/rails/blobs/abc/the%20menu.png' },
  ]);
  expect(recordsOf(articleItems({ ...article, status: 'published', category: null }, 'en', at), 'article')).toMatchObject([
    { state: 'published', language: 'en', category: null },
  ]);
  const category = { key: '2', name: 'Billing', description: null, position: 1 };
  expect(recordSchemas.article_category.parse(categoryRecord({ id: 2, name: 'Billing', description: '' }, 1))).toEqual(category);
});
