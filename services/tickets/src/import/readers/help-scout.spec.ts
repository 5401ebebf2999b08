import { helpScoutReader } from './help-scout';
import { readAll, TestUploads } from './testing';

const uploads = new TestUploads();
afterAll(() => uploads.remove());

/** After https://developer.helpscout.com/mailbox-api/endpoints/conversations/list/ with `embed=threads`. */
const bear = { id: 29418, type: 'customer', first: 'Vernon', last: 'Bear', email: 'vbear@mywork.com' };
const susan = { id: 256, type: 'user', first: 'Susan', last: 'Smith', email: 'susan@acme.com' };
const thread = { status: 'active', state: 'published', source: { type: 'email', via: 'customer' }, customer: bear };
const conversation = {
  id: 10, number: 12, threads: 2, type: 'email', folderId: 11, status: 'closed', state: 'published', subject: 'I need help!', preview: 'Hello', mailboxId: 13, assignee: susan, createdBy: bear,
  createdAt: '2012-02-23T14:34:12Z', closedBy: 14, closedAt: '2012-03-19T03:12:05Z', userUpdatedAt: '2012-03-19T03:12:05Z', source: { type: 'email', via: 'customer' }, tags: [{ id: 9150, color: '#929499', tag: 'vip' }],
  cc: ['Bear@normal.com'], bcc: [], primaryCustomer: bear, customFields: [{ id: 8, name: 'Account Type', value: '8518', text: 'Administrator' }],
  _embedded: { threads: [
    { ...thread, id: 3, type: 'note', body: '<p>For <b>us</b></p>', createdBy: susan, createdAt: '2012-03-01T00:00:00Z' },
    { ...thread, id: 2, type: 'message', body: 'Try <a href="https://example.com/x">this</a>', createdBy: susan, createdAt: '2012-02-24T00:00:00Z', rating: { rating: 'great', comments: 'Nice' },
      _embedded: { attachments: [{ id: 12, filename: 'guide.pdf', mimeType: 'application/pdf', size: 5, _links: { data: { href: 'https://api.helpscout.net/v2/conversations/10/attachments/12/data' } } }] } },
    { ...thread, id: 1, type: 'customer', body: 'Hello<br>world', createdBy: bear, createdAt: '2012-02-23T14:34:12Z' },
    { ...thread, id: 4, type: 'lineitem', body: null, action: { type: 'default', text: 'closed' }, createdBy: susan, createdAt: '2012-03-19T03:12:05Z' },
    { ...thread, id: 5, type: 'message', state: 'draft', body: 'not sent', createdBy: susan, createdAt: '2012-03-19T03:12:05Z' },
  ] },
}; // prettier-ignore
const page = (...conversations: object[]) => ({
  _embedded: { conversations },
  page: { size: 25, number: 1 },
  _links: { self: { href: 'https://api.helpscout.net' } },
});

describe('Help Scout', () => {
  it('reads conversations with their threads', async () => {
    const { records, problems } = await readAll(helpScoutReader, [uploads.write(JSON.stringify(page(conversation)), 'page-1.json')], {
      custom_fields: new Map([['account_type', 'choice']]),
    });
    expect(records.ticket).toEqual([{
      key: '10', number: '12', subject: 'I need help!', description: 'Hello\nworld', status: 'closed', priority: 'medium', category: null, tags: ['vip'], channel: 'email',
      customer: { email: 'vbear@mywork.com', name: 'Vernon Bear' }, cc: ['bear@normal.com'], language: null, assignee: '256', custom_fields: { account_type: 'administrator' },
      created_at: '2012-02-23T14:34:12.000Z', updated_at: '2012-03-19T03:12:05.000Z', resolved_at: '2012-03-19T03:12:05.000Z', url: 'https://secure.helpscout.net/conversation/10/12',
      survey: { sent_at: null, rating: 5, feedback: 'Nice', answered_at: '2012-03-19T03:12:05.000Z' },
    }]); // prettier-ignore
    expect(records.comment).toMatchObject([
      { key: '2', author: { kind: 'teammate', key: '256' }, is_internal: false, content: 'Try [this](https://example.com/x)' },
      { key: '3', author: { kind: 'teammate', key: '256' }, is_internal: true, content: 'For **us**' },
    ]);
    expect(records.teammate).toEqual([{ key: '256', email: 'susan@acme.com', first_name: 'Susan', last_name: 'Smith' }]);
    expect(problems).toEqual(['record.left_out page-1.json:1 history', 'file.missing page-1.json:1 file 12 guide.pdf']);
  });

  it('reads files of the archive, several pages, arrays, lines and single conversations', async () => {
    const forms = [JSON.stringify([page(conversation), page({ ...conversation, id: 11 })]), JSON.stringify([conversation, { ...conversation, id: 11 }]), `${JSON.stringify(conversation)}\n${JSON.stringify({ ...conversation, id: 11 })}`, JSON.stringify({ conversations: [conversation, { ...conversation, id: 11 }] }, null, 2)]; // prettier-ignore
    for (const form of forms) {
      const { records } = await readAll(helpScoutReader, [
        await uploads.zip({ 'conversations.json': form, 'attachments/12/guide.pdf': 'bytes' }),
      ]);
      expect(records.ticket.map(({ key }) => key)).toEqual(['10', '11']);
      expect(records.file[0]).toMatchObject({ comment: '2', entry: 'attachments/12/guide.pdf', url: null });
    }
  });

  it('leaves out spam, drafts and deleted conversations, and keeps a first note internal', async () => {
    const note = { ...conversation, id: 4, _embedded: { threads: [conversation._embedded.threads[0]] } };
    const file = uploads.write(
      JSON.stringify(
        page(
          { ...conversation, id: 1, status: 'spam' },
          { ...conversation, id: 2, state: 'deleted' },
          { ...conversation, id: 3, state: 'draft' },
          note,
        ),
      ),
      'x.json',
    );
    const { records, problems } = await readAll(helpScoutReader, [file]);
    expect(problems).toEqual(['record.left_out x.json:1 ticket 1 state spam', 'record.left_out x.json:1 ticket 2 state deleted', 'record.left_out x.json:1 ticket 3 state draft', 'value.left_out x.json:1 ticket Account Type Administrator']); // prettier-ignore
    expect([records.ticket[0]!.description, records.comment[0]!.is_internal]).toEqual([null, true]);
  });

  it('reads articles of Docs', async () => {
    /** https://developer.helpscout.com/docs-api/objects/article/ and …/category/ */
    const article = { id: '5214c83d45667acd25394b54', number: 23, collectionId: '5214c83d45667acd25394b53', slug: 'my-article', status: 'published', name: 'My Article', text: 'This is my <b>article</b>.', categories: ['5214c77d45667acd25394b52'], publicUrl: 'https://docs.helpscout.net/article/100', createdAt: '2013-08-21T19:34:13Z', updatedAt: null }; // prettier-ignore
    const category = {
      id: '5214c77d45667acd25394b52',
      number: 1,
      slug: 'x',
      collectionId: '5214c83d45667acd25394b53',
      order: 3,
      name: 'Basics',
      createdAt: '2013-08-21T19:34:13Z',
    };
    const file = await uploads.zip({
      'article-23.json': JSON.stringify({ article }),
      'categories.json': JSON.stringify({ categories: { page: 1, items: [category] } }),
    });
    const { records } = await readAll(helpScoutReader, [file]);
    expect(records.article).toMatchObject([
      {
        title: 'My Article',
        body: 'This is my **article**.',
        category: 'category-5214c77d45667acd25394b52',
        state: 'published',
        visibility: 'public',
      },
    ]);
    expect(records.article_category).toMatchObject([{ key: 'category-5214c77d45667acd25394b52', name: 'Basics', position: 3 }]);
  });
});
