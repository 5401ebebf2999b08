import { freshdeskReader } from './freshdesk';
import { readAll, TestUploads } from './testing';

const uploads = new TestUploads();
afterAll(() => uploads.remove());

/** After https://developers.freshdesk.com/api/v1/ : tickets, notes, users and solutions. */
const ticket = {
  helpdesk_ticket: {
    id: 9012345, display_id: 118, subject: 'Support needed', description: 'Some details on the issue', description_html: '<div>Some <b>details</b> on the issue</div>', status: 2, status_name: 'Open',
    priority: 2, priority_name: 'Medium', source: 1, source_name: 'Email', ticket_type: 'Question', requester_id: 17, requester_name: 'Rachel', responder_id: 31, responder_name: 'Agent', group_id: 1,
    spam: false, deleted: false, created_at: '2014-01-07T19:33:43+05:30', updated_at: '2014-01-08T19:33:43+05:30', cc_email: { cc_emails: ['Ross <ross@example.com>', 'rachel@example.com'], fwd_emails: [] },
    custom_field: { order_number_97215: '12', favourite_color_97215: 'red' }, tags: [{ name: 'beta' }, { name: 'ui' }], ticket_states: { resolved_at: null, closed_at: '2014-01-08T10:00:00+05:30' },
    attachments: [{ id: 4004, content_file_name: 'shot.png', content_content_type: 'image/png', content_file_size: 100, attachment_url: 'https://s3.amazonaws.com/shot.png?Expires=1' }],
    notes: [
      { id: 1, body: 'thanks', body_html: '<div>thanks</div>', private: false, incoming: true, user_id: 17, deleted: false, source: 0, created_at: '2014-01-07T20:00:00+05:30', attachments: [] },
      { note: { id: 2, body: 'internal', body_html: '<ul><li>internal</li></ul>', private: true, incoming: false, user_id: 31, deleted: false, source: 2, created_at: '2014-01-07T21:00:00+05:30' } },
      { id: 3, body: 'gone', private: false, user_id: 31, deleted: true, created_at: '2014-01-07T21:00:00+05:30' },
      { id: 4, body: 'someone else', private: false, user_id: 99, created_at: '2014-01-07T22:00:00+05:30', attachments: [{ id: 5, content_file_name: 'in archive.txt' }, { id: 6, content_file_name: 'lost.txt' }] },
    ],
  },
}; // prettier-ignore
const users = [
  { user: { id: 17, name: 'Rachel', email: 'Rachel@example.com', helpdesk_agent: false } },
  { user: { id: 18, name: 'Ross', email: 'ross@example.com' } },
];
const agents = [{ agent: { id: 31, user_id: 31, name: 'Sample Agent', email: 'agent@acme.com' } }];
const solutions = [
  { category: { id: 2, name: 'General', description: 'x', all_folders: [
    { id: 7, name: 'FAQ', visibility: 1, articles: [{ id: 70, title: 'How?', description: '<p>Like <em>this</em></p>', desc_un_html: 'Like this', status: 2, created_at: '2014-01-07T19:33:43+05:30', modified_at: '2014-01-09T19:33:43+05:30', seo_data: { meta_description: 'About how' } }] },
    { id: 8, name: 'Internal', visibility: 3, articles: [{ article: { id: 80, title: 'Draft', description: 'x', status: 1, created_at: '2014-01-07T19:33:43+05:30' } }] },
  ] } },
]; // prettier-ignore
const pack = (tickets: unknown, more: Record<string, string> = {}) =>
  uploads.zip({ 'Tickets0.json': JSON.stringify(tickets), 'Users0.json': JSON.stringify(users), 'Agents0.json': JSON.stringify(agents), 'Solutions0.json': JSON.stringify(solutions), 'Companies0.json': '[{"company":{"id":1}}]', 'readme.txt': 'x', ...more }); // prettier-ignore

describe('Freshdesk', () => {
  it('reads tickets, notes and solutions of an account export', async () => {
    const file = await pack([ticket], { 'attachments/5/in archive.txt': 'bytes' });
    const { records, problems } = await readAll(freshdeskReader, [file], { custom_fields: new Map([['order_number', 'text']]) });
    expect(records.ticket).toEqual([{
      key: '118', number: '118', subject: 'Support needed', description: 'Some details on the issue', status: 'open', priority: 'medium', category: 'Question', tags: ['beta', 'ui'], channel: 'email',
      customer: { email: 'rachel@example.com', name: 'Rachel' }, cc: ['ross@example.com'], language: null, assignee: '31', custom_fields: { order_number: '12' },
      created_at: '2014-01-07T14:03:43.000Z', updated_at: '2014-01-08T14:03:43.000Z', resolved_at: '2014-01-08T04:30:00.000Z', url: null,
    }]); // prettier-ignore
    expect(records.teammate).toEqual([{ key: '31', email: 'agent@acme.com', first_name: 'Sample', last_name: 'Agent' }]);
    expect(records.comment).toMatchObject([
      { key: '1', ticket: '118', author: { kind: 'customer', email: 'rachel@example.com' }, is_internal: false, content: 'thanks' },
      { key: '2', author: { kind: 'teammate', key: '31' }, is_internal: true, content: expect.stringMatching(/^- +internal$/) },
      { key: '4', author: { kind: 'other', name: null }, content: 'someone else' },
    ]);
    expect(records.file).toMatchObject([
      { ticket: '118', comment: null, file_name: 'shot.png', size: 100, entry: null, url: 'https://s3.amazonaws.com/shot.png?Expires=1' },
      { ticket: '118', comment: '4', file_name: 'in archive.txt', entry: 'attachments/5/in archive.txt', url: null },
    ]);
    expect(records.article_category).toMatchObject([{ key: 'folder-7', name: 'General / FAQ', position: 1 }, { key: 'folder-8', position: 2 }]); // prettier-ignore
    expect(records.article).toMatchObject([
      {
        key: 'article-70',
        title: 'How?',
        body: 'Like _this_',
        summary: 'About how',
        category: 'folder-7',
        visibility: 'public',
        state: 'published',
        updated_at: '2014-01-09T14:03:43.000Z',
      },
      { key: 'article-80', visibility: 'internal', state: 'draft' },
    ]);
    expect(problems).toEqual(['value.left_out Tickets0.json:1 ticket favourite_color red', 'file.missing Tickets0.json:1 file 6 lost.txt']);
  });

  it('reads tickets of version 2 of the API', async () => {
    /** https://developers.freshdesk.com/api/#view_a_ticket */
    const saved = { id: 20, subject: 'x', description: '<div>Hi</div>', description_text: 'Hi', status: 3, priority: 4, source: 9, type: 'Problem', requester_id: 17, requester: { id: 17, name: 'Rachel', email: 'rachel@example.com' }, responder_id: null, cc_emails: ['a@b.co'], custom_fields: { cf_order_number: '5' }, tags: ['t'], spam: false, created_at: '2015-08-24T11:56:51Z', updated_at: '2015-08-24T11:59:05Z', stats: { resolved_at: '2015-08-25T11:59:05Z' }, conversations: [{ id: 1, body: '<p>a <b>reply</b></p>', body_text: 'a reply', private: false, user_id: 31, created_at: '2015-08-24T11:59:05Z' }] }; // prettier-ignore
    const agentV2 = [{ id: 31, ticket_scope: 1, contact: { name: 'Agent', email: 'agent@acme.com' } }];
    const file = await uploads.zip({ 'tickets.json': JSON.stringify([saved]), 'agents.json': JSON.stringify(agentV2) });
    const { records } = await readAll(freshdeskReader, [file], { custom_fields: new Map([['order_number', 'number']]) });
    expect(records.ticket).toMatchObject([{ key: '20', description: 'Hi', status: 'waiting_for_customer', priority: 'urgent', channel: 'widget', cc: ['a@b.co'], tags: ['t'], custom_fields: { order_number: 5 }, resolved_at: '2015-08-25T11:59:05.000Z' }]); // prettier-ignore
    expect(records.comment).toMatchObject([{ author: { kind: 'teammate', key: '31' }, content: 'a **reply**' }]);
  });

  it('leaves out spam and deleted tickets, and lets an admin decide about statuses of the account', async () => {
    const other = (changes: object) => ({
      helpdesk_ticket: { ...ticket.helpdesk_ticket, notes: [], attachments: [], custom_field: null, ...changes },
    });
    const { records, problems, values } = await readAll(freshdeskReader, [
      await pack([other({ spam: true }), other({ deleted: true }), other({ status: 12, status_name: 'With supplier' })]),
    ]);
    expect(problems).toEqual(['record.left_out Tickets0.json:1 ticket 118 spam', 'record.left_out Tickets0.json:1 ticket 118 deleted']);
    expect([records.ticket.length, values]).toEqual([1, ['status With supplier → open']]);
  });
});
