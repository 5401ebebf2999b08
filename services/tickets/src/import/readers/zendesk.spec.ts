import { readAll, TestUploads } from './testing';
import { zendeskReader } from './zendesk';

const uploads = new TestUploads();
afterAll(() => uploads.remove());

/** The members of https://developer.zendesk.com/api-reference/ticketing/users/users/#json-format that matter here. */
const ada = { id: 20978392, name: 'Ada', email: 'Ada@Example.com', role: 'end-user', locale: 'de-CH' };
const agent = { id: 235323, name: 'Grace Hopper', email: 'grace@acme.com', role: 'agent' };
const colleague = { id: 5, name: 'Bob', email: 'bob@example.com', role: 'end-user' };
/** After the examples of https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/ and …/ticket_comments/ */
const ticket = {
  url: 'https://acme.zendesk.com/api/v2/tickets/35436.json', id: 35436, external_id: 'ahg35h3jh', created_at: '2009-07-20T22:55:29Z', updated_at: '2011-05-05T10:38:52Z',
  type: 'incident', subject: 'Help, my printer is on fire!', raw_subject: '{{dc.printer_on_fire}}', description: 'The fire is very colorful.', priority: 'normal', status: 'hold',
  recipient: 'support@acme.com', requester: ada, submitter: ada, assignee: agent, collaborator: [colleague, agent], is_public: true, tags: ['enterprise', 'other_tag'],
  via: { channel: 'email', source: {} }, custom_fields: [{ id: 27642, value: '745' }, { id: 27648, value: 'yes' }, { id: 9, value: null }],
  satisfaction_rating: { id: 1234, score: 'good', comment: 'Great support!' }, metric_set: { solved_at: '2011-05-04T10:00:00Z' },
  comments: [
    { id: 2, author_id: 235323, body: 'Try <water>', html_body: '<div class="zd-comment" dir="auto"><p>Try <b>water</b>.</p></div>', plain_body: 'Try water.', public: true, created_at: '2009-07-21T10:00:00Z',
      attachments: [{ id: 498483, file_name: 'crash.log', content_url: 'https://acme.zendesk.com/attachments/token/x/?name=crash.log', content_type: 'text/plain', size: 2532 }, { id: 7, file_name: 'virus.exe', content_url: 'https://x.y/z', malware_scan_result: 'malware_found' }] },
    { id: 1, author_id: 20978392, body: 'The fire is very colorful.', html_body: '<p>The <i>fire</i>&nbsp;is very colorful.</p>', plain_body: 'The fire&nbsp;is very colorful.', public: true, created_at: '2009-07-20T22:55:29Z',
      attachments: [{ id: 1, file_name: 'fire.png', content_url: 'https://acme.zendesk.com/attachments/token/y/?name=fire.png', size: 10 }] },
    { id: 3, author_id: 235323, body: 'A note', html_body: '<p>A note</p>', public: false, created_at: '2009-07-21T11:00:00Z', attachments: [] },
    { id: 4, author_id: 5, body: 'Me too', plain_body: 'Me too', public: true, created_at: '2009-07-22T11:00:00Z', attachments: [] },
    { id: 6, author_id: -1, body: 'By a trigger', public: true, created_at: '2009-07-23T11:00:00Z', attachments: [] },
  ],
}; // prettier-ignore
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n');
const defined = new Map([['order_number', 'number']]);

describe('Zendesk', () => {
  it('reads a ticket with its people, comments and files', async () => {
    const fields = {
      ticket_fields: [
        { id: 27642, title: 'Order number', raw_title: 'Order number' },
        { id: 27648, title: 'VIP' },
      ],
    };
    const other = { ...ticket, id: 35437 };
    const file = await uploads.zip({ 'tickets.json': lines(ticket, other), 'ticket_fields.json': JSON.stringify(fields) });
    const { records, problems, values } = await readAll(zendeskReader, [file], { custom_fields: defined });
    expect(records.ticket[0]).toEqual({
      key: '35436', number: '35436', subject: 'Help, my printer is on fire!', description: 'The fire is very colorful.', status: 'in_progress', priority: 'medium', category: 'Incident',
      tags: ['enterprise', 'other_tag'], channel: 'email', customer: { email: 'ada@example.com', name: 'Ada' }, cc: ['bob@example.com'], language: 'de', assignee: '235323',
      custom_fields: { order_number: 745 }, created_at: '2009-07-20T22:55:29.000Z', updated_at: '2011-05-05T10:38:52.000Z', resolved_at: '2011-05-04T10:00:00.000Z',
      url: 'https://acme.zendesk.com/agent/tickets/35436', survey: { sent_at: null, rating: 5, feedback: 'Great support!', answered_at: '2011-05-05T10:38:52.000Z' },
    }); // prettier-ignore
    expect(records.teammate).toEqual([{ key: '235323', email: 'grace@acme.com', first_name: 'Grace', last_name: 'Hopper' }]);
    expect(records.comment.slice(0, 4)).toMatchObject([
      { key: '2', ticket: '35436', author: { kind: 'teammate', key: '235323' }, is_internal: false, content: 'Try **water**.', created_at: '2009-07-21T10:00:00.000Z' },
      { key: '3', ticket: '35436', author: { kind: 'teammate', key: '235323' }, is_internal: true, content: 'A note', created_at: '2009-07-21T11:00:00.000Z' },
      { key: '4', ticket: '35436', author: { kind: 'customer', email: 'bob@example.com' }, is_internal: false, content: 'Me too', created_at: '2009-07-22T11:00:00.000Z' },
      { key: '6', ticket: '35436', author: { kind: 'other', name: null }, is_internal: false, content: 'By a trigger', created_at: '2009-07-23T11:00:00.000Z' },
    ]); // prettier-ignore
    expect(records.file.slice(0, 2)).toMatchObject([
      {
        ticket: '35436',
        comment: null,
        file_name: 'fire.png',
        url: 'https://acme.zendesk.com/attachments/token/y/?name=fire.png',
        entry: null,
      },
      { ticket: '35436', comment: '2', file_name: 'crash.log', size: 2532 },
    ]);
    expect(values).toEqual([]);
    // Once for the field, and for each file.
    expect(problems).toEqual([
      'value.left_out tickets.json:1 ticket VIP yes',
      'file.refused tickets.json:1 file 7 virus.exe',
      'file.refused tickets.json:2 file 7 virus.exe',
    ]);
  });

  it('reads pages of the API with users beside the tickets, in any order of files', async () => {
    const { requester: _r, submitter: _s, assignee: _a, collaborator: _c, ...rest } = ticket;
    const ids = { ...rest, requester_id: ada.id, assignee_id: agent.id, email_cc_ids: [5], comments: [], description: 'plain' };
    const files = [
      uploads.write(JSON.stringify({ tickets: [ids], next_page: null }), 'tickets.json'),
      uploads.write(JSON.stringify({ users: [ada, agent, colleague] }, null, 1), 'users.json'),
    ];
    const { records } = await readAll(zendeskReader, files);
    expect(records.ticket).toMatchObject([
      { customer: { email: 'ada@example.com' }, cc: ['bob@example.com'], assignee: '235323', description: 'plain' },
    ]);
    expect(records.teammate).toMatchObject([{ email: 'grace@acme.com' }]);
  });

  it('never shows customers the text of an internal ticket', async () => {
    const note = { id: 8, author_id: agent.id, body: 'secret', public: false, created_at: '2009-07-20T22:55:29Z' };
    const hidden = [
      { ...ticket, comments: [note] },
      { ...ticket, id: 2, is_public: false, comments: [{ ...note, public: undefined }] },
      { ...ticket, id: 3, is_public: false, comments: undefined },
    ];
    const { records } = await readAll(zendeskReader, [uploads.write(lines(...hidden), 'tickets.json')]);
    expect(records.ticket.map(({ description }) => description)).toEqual([null, null, null]);
    expect(records.comment.map(({ is_internal }) => is_internal)).toEqual([true, true, true]);
  });

  it('reports what cannot be kept, and survives values of any type', async () => {
    const strange = Object.fromEntries(Object.keys(ticket).map((name) => [name, name === 'requester' ? null : [[{}]]]));
    const values = [
      { ...ticket, id: 1, status: 'deleted' }, { ...ticket, id: 2, created_at: '0000-01-01T00:00:00Z' }, { ...ticket, id: 3, created_at: 'NaN' }, { ...ticket, id: null }, strange,
      { requester: 1, id: 4, created_at: '2020-01-01T00:00:00Z', priority: 'P1!', custom_fields: [{ id: '__proto__', value: 1 }], comments: [null, 1, { id: 1, created_at: '+275760-09-13T00:00:00Z' }] },
      { ...ticket, id: 5, subject: 'nul\u0000 and \ud800 half', comments: [], custom_fields: JSON.parse('[{"id":1,"value":{"__proto__":{"a":1}}}]') as unknown },
    ]; // prettier-ignore
    const { records, problems } = await readAll(zendeskReader, [uploads.write(`${lines(...values)}\n{"id":`, 'tickets.json')]);
    expect(records.ticket.map(({ key, subject, priority }) => [key, subject, priority])).toEqual([['4', 'No subject', 'urgent'], ['5', 'nul and \ufffd half', 'medium']]); // prettier-ignore
    expect(problems.map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual([
      'record.left_out tickets.json:1', 'time.invalid tickets.json:2', 'time.invalid tickets.json:3', 'value.missing tickets.json:4', 'value.missing tickets.json:5',
      'value.left_out tickets.json:6', 'time.invalid tickets.json:6', 'time.invalid tickets.json:6', 'value.left_out tickets.json:7', 'line.unreadable tickets.json:8',
    ]); // prettier-ignore
  });

  it('reads articles of the help center', async () => {
    const article = { id: 35467, author_id: 1, title: 'Printers', body: '<h2>Fire</h2><p>Use <img src="https://acme.zendesk.com/hc/article_attachments/1/fire.png" alt="a fire">.</p><script>x</script>', locale: 'en-us', section_id: 98838, user_segment_id: 12, draft: false, created_at: '2012-04-04T09:14:57Z', updated_at: '2012-04-05T09:14:57Z' }; // prettier-ignore
    const section = {
      id: 98838,
      name: 'Flight delays',
      description: 'This section',
      locale: 'en-us',
      category_id: 3,
      position: 2,
      created_at: '2012-04-04T09:14:57Z',
    };
    const { records } = await readAll(zendeskReader, [
      uploads.write(
        JSON.stringify({ articles: [article, { ...article, id: 2, draft: true, user_segment_id: null }], sections: [section] }),
        'articles.json',
      ),
    ]);
    expect(records.article_category).toEqual([{ key: 'section-98838', name: 'Flight delays', description: 'This section', position: 3 }]);
    expect(records.article).toMatchObject([
      {
        key: 'article-35467',
        title: 'Printers',
        body: '## Fire\n\nUse ![a fire](fire.png).',
        language: 'en',
        category: 'section-98838',
        visibility: 'internal',
        state: 'published',
      },
      { key: 'article-2', visibility: 'public', state: 'draft' },
    ]);
    expect(records.file[0]).toMatchObject({
      article: 'article-35467',
      file_name: 'fire.png',
      url: 'https://acme.zendesk.com/hc/article_attachments/1/fire.png',
    });
  });

  it('refuses another kind of file', async () => {
    await expect(readAll(zendeskReader, [uploads.write('<html>', 'tickets.json')])).rejects.toMatchObject({ failure: 'source.unreadable' });
    await expect(readAll(zendeskReader, [await uploads.zip({ 'a.txt': '1', 'b.txt': '2' })])).rejects.toMatchObject({
      failure: 'source.unreadable',
    });
  });

  it('stops when the import is cancelled', async () => {
    const stopped = readAll(zendeskReader, [uploads.write(lines(ticket), 'tickets.json')], {
      signal: AbortSignal.abort(new Error('cancelled')),
    });
    await expect(stopped).rejects.toThrow('cancelled');
  });
});
