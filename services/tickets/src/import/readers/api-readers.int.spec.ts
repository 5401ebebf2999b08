import type { ImportFailure, ImportRecord, ImportSource } from '@tandem/contracts';
import { ChatwootSandbox, chatwootMark, ZammadSandbox, zammadMark } from '@tandem/sandbox';
import { onTestFileEnd } from '@tandem/testing';
import { type ImportInput, ImportFailed, type SourceItem } from '../import-reader';
import { importReaders } from './index';

/** The readers against sandboxes of the vendors, which share no code with them. */

type RecordOf<Kind extends ImportRecord['kind']> = Extract<ImportRecord, { kind: Kind }>['data'];

class Result {
  readonly items: SourceItem[] = [];

  all<Kind extends ImportRecord['kind']>(kind: Kind): RecordOf<Kind>[] {
    return this.items.flatMap((item) => (item.type === 'record' && item.record.kind === kind ? [item.record.data as RecordOf<Kind>] : []));
  }
  get problems() {
    return this.items.flatMap((item) => (item.type === 'problem' ? [item.problem] : []));
  }
  get values() {
    return this.items.flatMap((item) => (item.type === 'value' ? [item] : []));
  }
  ticket(id: number): RecordOf<'ticket'> {
    const found = this.all('ticket').find(({ key }) => idIn(key) === id);
    if (!found) throw new Error(`Ticket ${id} was not read`);
    return found;
  }
  /** In the order of their times. */
  comments(id: number): RecordOf<'comment'>[] {
    const { key } = this.ticket(id);
    return this.all('comment')
      .filter(({ ticket }) => ticket === key)
      .toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));
  }
  files(id: number): RecordOf<'file'>[] {
    const { key } = this.ticket(id);
    return this.all('file').filter(({ ticket }) => ticket === key);
  }
  /** The marks of all texts of a ticket, in order. */
  marks(id: number): string[] {
    return [this.ticket(id).description, ...this.comments(id).map(({ content }) => content)].flatMap((text) => marksIn(text ?? ''));
  }
  comment(id: number, mark: string): RecordOf<'comment'> {
    const found = this.comments(id).find(({ content }) => marksIn(content).includes(mark));
    if (!found) throw new Error(`${mark} is not a comment of ticket ${id}`);
    return found;
  }
}

const idIn = (key: string): number => Number(/\d+$/.exec(key)?.[0]);
const marksIn = (text: string): string[] => text.match(/ref\d+x/g) ?? [];
const seconds = (time: string): number => Math.floor(Date.parse(time) / 1_000);

const customFields = new Map([
  ['order_number', 'text'],
  ['amount', 'number'],
  ['refunded', 'checkbox'],
  ['due', 'date'],
  ['plan', 'choice'],
  ['product_type', 'choice'],
  ['serial', 'text'],
]);
const inputOf = (address: string, token: string, signal = new AbortController().signal): ImportInput => ({
  files: [],
  api: { address, token, rules: { allowHttp: true, allowPrivate: true } },
  statuses: new Map(),
  priorities: new Map(),
  custom_fields: customFields,
  signal,
  onProgress: () => undefined,
});

function readerOf(source: ImportSource) {
  const reader = importReaders[source];
  if (!reader) throw new Error(`${source} has no reader`);
  return reader;
}

async function read(source: ImportSource, input: ImportInput): Promise<Result> {
  const result = new Result();
  for await (const item of readerOf(source).read(input)) result.items.push(item);
  return result;
}

async function failureOf(source: ImportSource, input: ImportInput): Promise<ImportFailure | undefined> {
  try {
    await read(source, input);
    return undefined;
  } catch (error) {
    if (error instanceof ImportFailed) return error.failure;
    throw error;
  }
}

async function bytesOf(source: ImportSource, input: ImportInput, url: string, maxBytes = 1_000_000): Promise<string> {
  const opened = await readerOf(source).openUrl!(input, url, maxBytes);
  if (typeof opened === 'string') return opened;
  const chunks: Buffer[] = [];
  for await (const chunk of opened) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Each ticket is a record or a problem, and none is read twice. */
function expectAllOnce(result: Result, ids: number[]): void {
  const read = result.all('ticket').map(({ key }) => key);
  expect(new Set(read).size).toBe(read.length);
  const refused = result.problems.filter(({ kind, key }) => kind === 'ticket' && key !== null).map(({ key }) => key!);
  expect([...new Set([...read, ...refused].map(idIn))].toSorted((one, other) => one - other)).toEqual(ids);
  for (const kind of ['comment', 'file', 'article', 'teammate'] as const) {
    const keys = result.all(kind).map(({ key }) => key);
    expect([kind, new Set(keys).size]).toEqual([kind, keys.length]);
  }
}

describe('the reader of Chatwoot', () => {
  let sandbox: ChatwootSandbox;
  let input: ImportInput;
  let result: Result;
  let ids: number[];
  beforeAll(async () => {
    sandbox = await ChatwootSandbox.start();
    onTestFileEnd(() => sandbox.close());
    input = inputOf(sandbox.url, sandbox.issueToken());
    ids = sandbox.world.conversations.map(({ id }) => id);
    result = await read('chatwoot', input);
  }, 60_000);
  afterEach(() => sandbox.reset());

  /** What a customer or teammate wrote; activities, templates and deleted messages are not part of a thread. */
  const written = (id: number) =>
    sandbox.world
      .messagesOf(id)
      .filter(({ message_type, content_attributes }) => ['incoming', 'outgoing'].includes(message_type) && !content_attributes.deleted);
  const texts = (id: number) => written(id).filter(({ content }) => content !== null);
  const withCustomer = () => result.all('ticket').map(({ key }) => idIn(key));

  it('reads each conversation once, whatever its status', () => {
    expectAllOnce(result, ids);
    expect(result.all('ticket').length).toBeGreaterThanOrEqual(ids.length - 6);
    expect([sandbox.violations, sandbox.peak <= 4]).toEqual([[], true]);
  });

  it('keeps the messages of each thread in order, with their times, and nothing else', () => {
    for (const id of withCustomer()) {
      const optional = sandbox.world.messagesOf(id).filter((message) => !texts(id).includes(message));
      const extra = new Set(optional.map(chatwootMark));
      expect([id, result.marks(id).filter((mark) => !extra.has(mark))]).toEqual([id, texts(id).map(chatwootMark)]);
      expect(seconds(result.ticket(id).created_at)).toBe(sandbox.world.conversation(id).created_at);
      const activities = new Set(optional.filter(({ message_type }) => message_type === 'activity').map(chatwootMark));
      expect(result.marks(id).filter((mark) => activities.has(mark))).toEqual([]);
    }
    const comments = result
      .all('comment')
      .flatMap(({ content, created_at }) => marksIn(content).map((mark) => [mark, seconds(created_at)] as const));
    const times = new Map(sandbox.world.messages.map((message) => [chatwootMark(message), message.created_at]));
    expect(comments.filter(([mark, at]) => times.get(mark) !== at)).toEqual([]);
  });

  it('keeps internal notes internal, and only them', () => {
    const notes = new Set(sandbox.world.messages.filter((message) => message.private).map(chatwootMark));
    for (const { content, is_internal } of result.all('comment'))
      for (const mark of marksIn(content)) expect([mark, is_internal]).toEqual([mark, notes.has(mark)]);
    expect(result.all('ticket').flatMap(({ description }) => marksIn(description ?? '').filter((mark) => notes.has(mark)))).toEqual([]);
  });

  it('keeps the authors: customer, teammate, bot, former and deleted agents', () => {
    const by = (text: string) => {
      const message = sandbox.world.messages.find(({ conversation_id, content }) => conversation_id === 22 && content?.startsWith(text))!;
      return result.comment(22, chatwootMark(message)).author;
    };
    const chloe = result.all('teammate').find(({ email }) => email === 'chloe@acme.test')!;
    expect(`${chloe.first_name} ${chloe.last_name}`).toBe('Chloé Müller');
    expect(by('**We look')).toEqual({ kind: 'teammate', key: result.all('teammate').find(({ email }) => email === 'ben@acme.test')!.key });
    expect(by('Thank you')).toMatchObject({ kind: 'customer' });
    expect(by('I am a bot')).toEqual({ kind: 'other', name: 'Triage bot' });
    expect(by('My user was deleted')).toEqual({ kind: 'other', name: null });
    const former = by('I have left');
    const keys = result.all('teammate').map(({ key }) => key);
    expect(former.kind === 'teammate' ? keys.includes(former.key) : former).toEqual(
      former.kind === 'teammate' ? true : { kind: 'other', name: 'Former Agent' },
    );
    for (const { assignee } of result.all('ticket')) if (assignee !== null) expect(keys).toContain(assignee);
  });

  it('keeps status, priority, labels, subject, customer and custom attributes', () => {
    const statuses = Object.fromEntries(sandbox.world.conversations.map(({ id, status }) => [status, id]));
    expect(result.ticket(statuses.resolved!).status).toMatch(/resolved|closed/);
    expect(result.ticket(statuses.open!).status).toMatch(/open|in_progress/);
    expect(
      new Set(['pending', 'snoozed'].map((each) => result.ticket(statuses[each]!).status).filter((each) => /resolved|closed/.test(each))),
    ).toEqual(new Set());
    expect([1, 3, 5, 7, 8].map((id) => result.ticket(id).priority)).toEqual(['low', 'medium', 'high', 'urgent', expect.any(String)]);
    expect(result.ticket(3).tags).toEqual(['billing', 'größe']);
    expect(result.ticket(2).subject).toBe('Question 2 about my order');
    expect(result.ticket(2).customer).toEqual({ email: 'customer2@example.test', name: 'Customer 2' });
    expect(result.ticket(6).custom_fields).toMatchObject({ order_number: 'A-6', amount: 6 });
    expect(result.ticket(64).customer.name === null || result.ticket(64).customer.name === '').toBe(true);
    expect(
      result.problems.filter(({ key, field, value }) => key !== null && idIn(key) === 26 && `${field} ${value}`.includes('undefined_key')),
    ).not.toEqual([]);
  });

  it('keeps files with their comment, and lists those that cannot be kept', async () => {
    const files = result.files(21);
    const named = (name: string) => files.find(({ file_name }) => file_name === name)!;
    expect(files.map(({ file_name }) => file_name).toSorted()).toEqual(
      expect.arrayContaining(['Größe 100%.png', 'internal.txt', 'invoice 2024 (1).txt', 'only-a-file.txt']),
    );
    const comments = new Map(result.comments(21).map((comment) => [comment.key, comment]));
    expect(comments.get(named('internal.txt').comment ?? '')?.is_internal).toBe(true);
    expect(comments.get(named('invoice 2024 (1).txt').comment ?? '')?.content).toContain('Two files');
    expect(comments.has(named('only-a-file.txt').comment ?? '')).toBe(true);
    expect(await bytesOf('chatwoot', input, named('invoice 2024 (1).txt').url!)).toBe('Content of invoice 2024 (1).txt\n');
    expect(await bytesOf('chatwoot', input, named('invoice 2024 (1).txt').url!, 10)).toBe('file.too_large');
    expect(await bytesOf('chatwoot', input, named('purged.txt').url!)).toBe('file.unreachable');
    expect(sandbox.violations).toEqual([]);
  });

  it('reads all articles of the help center with their category, language and state', () => {
    const articles = result.all('article');
    expect(articles.map(({ body }) => Number(/ref(\d+)a/.exec(body)?.[1])).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 31 }, (_, index) => index + 1),
    );
    const categories = new Map(result.all('article_category').map(({ key, name }) => [key, name]));
    expect([...categories.values()].toSorted()).toEqual(['Billing', 'Erste Schritte', 'Getting started']);
    const titled = (title: string) => articles.find((each) => each.title === title)!;
    expect(titled('Anleitung 5')).toMatchObject({ language: 'de', state: 'published' });
    expect(categories.get(titled('Anleitung 5').category ?? '')).toBe('Erste Schritte');
    expect(titled('How to 9')).toMatchObject({ state: 'draft', language: 'en' });
    expect(titled('Anleitung 30').state).not.toBe('published');
    expect(titled('How to 31').category).toBeNull();
    expect(seconds(titled('How to 7').updated_at)).toBe(sandbox.world.portals[0]!.articles[6]!.updated_at);
  });

  it('reads everything in spite of 429, 5xx and broken connections', async () => {
    sandbox.throttle = { requests: 300, windowMs: 500, retryAfter: '0' };
    sandbox.faults.answer({ status: 429, body: 'Retry later\n' }, { path: '/messages', skip: 5 });
    sandbox.faults.answer({ status: 502, body: '<html>Bad gateway</html>' }, { path: '/conversations?', skip: 2 });
    sandbox.faults.disconnect({ path: '/messages', skip: 20, times: 2 });
    sandbox.faults.loseAnswer({ path: '/messages', skip: 50 });
    const again = await read('chatwoot', input);
    expect(again.all('comment')).toHaveLength(result.all('comment').length);
    expectAllOnce(again, ids);
    expect([sandbox.faults.waiting, sandbox.requests.some(({ status }) => status === 429)]).toEqual([0, true]);
  }, 120_000);

  it('refuses tokens that are wrong or may not read everything, and addresses that do not respond', async () => {
    expect(await failureOf('chatwoot', inputOf(sandbox.url, 'wrong'))).toBe('source.refused');
    expect(await failureOf('chatwoot', inputOf(sandbox.url, sandbox.issueToken('ben@acme.test')))).toBe('source.refused');
    expect(await failureOf('chatwoot', inputOf(sandbox.url, sandbox.issueToken('former@acme.test')))).toMatch(
      /source\.(refused|not_found)/,
    );
    expect(sandbox.requests.length).toBeLessThan(20);
    sandbox.faults.answer({ status: 401, body: { error: 'Invalid Access Token' } }, { path: '/messages', skip: 30 });
    expect(await failureOf('chatwoot', input)).toBe('source.refused');
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    sandbox.onRequest = () => void (sandbox.requests.length > 20 && controller.abort());
    await expect(read('chatwoot', { ...input, signal: controller.signal })).rejects.toThrow();
    expect(sandbox.requests.length).toBeLessThan(40);
  });

  // Last, because it changes the account.
  it('loses nothing and reads nothing twice when conversations move between pages', async () => {
    let at = 2_000_000_000;
    const moved = [150, 20, 77, 3, 181, 90];
    const removed = 10;
    sandbox.onRequest = (path) => {
      if (!/\/conversations\?/.test(path)) return;
      const id = moved.shift();
      if (id) sandbox.world.receive(id, 'moved', ++at);
      if (moved.length === 2) sandbox.world.remove(removed);
    };
    const again = await read('chatwoot', input);
    expect(moved).toEqual([]);
    const read_ = again.all('ticket').map(({ key }) => idIn(key));
    expect(new Set(read_).size).toBe(read_.length);
    const missed = withCustomer().filter((id) => id !== removed && !read_.includes(id));
    expect(missed).toEqual([]);
  }, 60_000);
});

describe('the reader of Zammad', () => {
  let sandbox: ZammadSandbox;
  let input: ImportInput;
  let result: Result;
  let ids: number[];
  beforeAll(async () => {
    sandbox = await ZammadSandbox.start();
    onTestFileEnd(() => sandbox.close());
    input = inputOf(sandbox.url, sandbox.issueToken());
    ids = sandbox.world.tickets.map(({ id }) => id);
    result = await read('zammad', input);
  }, 60_000);
  afterEach(() => sandbox.reset());

  const articles = (id: number) => sandbox.world.articlesOf(id).toSorted((one, other) => one.created_at - other.created_at);
  const withText = (id: number) => articles(id).filter(({ body }) => /ref\d+x/.test(body));
  const readIds = () => result.all('ticket').map(({ key }) => idIn(key));

  it('reads each ticket once: closed, merged and removed ones, too', () => {
    expectAllOnce(result, ids);
    expect(result.all('ticket').length).toBeGreaterThanOrEqual(ids.length - 10);
    expect([sandbox.violations, sandbox.peak <= 4]).toEqual([[], true]);
  });

  it('keeps the articles of each thread in order, with their times', () => {
    for (const id of readIds()) {
      expect([id, result.marks(id)]).toEqual([id, withText(id).map(zammadMark)]);
      expect(seconds(result.ticket(id).created_at)).toBe(Math.floor(sandbox.world.ticket(id).created_at / 1_000));
    }
    const times = new Map(sandbox.world.articles.map((article) => [zammadMark(article), Math.floor(article.created_at / 1_000)]));
    const comments = result
      .all('comment')
      .flatMap(({ content, created_at }) => marksIn(content).map((mark) => [mark, seconds(created_at)] as const));
    expect(comments.filter(([mark, at]) => times.get(mark) !== at)).toEqual([]);
  });

  it('keeps internal articles internal, and only them', () => {
    const internal = new Set(sandbox.world.articles.filter((article) => article.internal).map(zammadMark));
    for (const { content, is_internal } of result.all('comment'))
      for (const mark of marksIn(content)) expect([mark, is_internal]).toEqual([mark, internal.has(mark)]);
    expect(result.all('ticket').flatMap(({ description }) => marksIn(description ?? '').filter((mark) => internal.has(mark)))).toEqual([]);
  });

  it('keeps the authors: who created an article, or for whom', () => {
    const by = (text: string) => {
      const article = sandbox.world.articles.find(({ ticket_id, body }) => ticket_id === 21 && body.startsWith(text))!;
      return result.comment(21, zammadMark(article)).author;
    };
    const keyOf = (email: string) => result.all('teammate').find((each) => each.email?.toLowerCase() === email)!.key;
    expect(by('<p>We look')).toEqual({ kind: 'teammate', key: keyOf('ada@acme.test') });
    expect(by('Called us')).toMatchObject({ kind: 'customer' });
    expect(by('We have received')).toMatchObject({ kind: 'other' });
    expect(by('Me too')).toMatchObject({ kind: 'customer', email: 'customer21@example.test' });
    expect(by('I have left')).toEqual({ kind: 'teammate', key: keyOf('former@acme.test') });
    expect(result.ticket(4).assignee).toBeNull();
    expect(result.ticket(3).assignee).toBe(keyOf('ada@acme.test'));
  });

  it('keeps number, state, priority, tags, customer and attributes', () => {
    expect(result.ticket(3)).toMatchObject({ number: '67003', subject: 'Order 3', tags: ['complaint', 'größe'] });
    expect(result.ticket(10).subject).toBe('Größe & <b> "10"');
    const status = (id: number) => result.ticket(id).status;
    expect([status(2), status(4), status(7)]).toEqual([
      expect.stringMatching(/resolved|closed/),
      expect.stringMatching(/resolved|closed/),
      status(2),
    ]);
    expect([status(1), status(3)]).toEqual([expect.stringMatching(/open|in_progress/), 'open']);
    expect([status(5), status(8)].filter((each) => /resolved|closed/.test(each))).toEqual([]);
    expect([30, 26].map(status).filter((each) => !/resolved|closed/.test(each))).toEqual([]);
    expect(seconds(result.ticket(2).resolved_at!)).toBe(Math.floor(sandbox.world.ticket(2).close_at! / 1_000));
    expect([3, 1, 2].map((id) => result.ticket(id).priority)).toEqual(['low', expect.stringMatching(/medium|normal/), 'high']);
    expect(result.values).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'priority', value: '4 disaster' })]));
    expect(result.ticket(2).customer).toEqual({ email: 'customer1@example.test', name: 'Customer Nº 1' });
    expect(result.ticket(6).custom_fields).toMatchObject({ serial: 'SN-6', amount: 6 });
    expect(result.problems.some(({ field, value }) => `${field} ${value}`.includes('location'))).toBe(true);
    // Default attributes that are empty are no problem.
    expect(result.problems.filter(({ key, kind }) => kind === 'ticket' && key !== null && idIn(key) === 1)).toEqual([]);
  });

  it('converts HTML of teammates to Markdown and HTML of customers to text', () => {
    const find = (text: string) => sandbox.world.articles.find(({ ticket_id, body }) => ticket_id === 22 && body.includes(text))!;
    expect(result.ticket(22).description).toMatch(/^Hello,\nwhere is my order & bill\?/);
    const answer = result.comment(22, zammadMark(find('We look'))).content;
    expect(answer).toContain('We look into it.\n\n');
    expect(answer).toContain('[link](https://acme.test)');
    expect(result.comment(22, zammadMark(find('alert(1)'))).content).not.toContain('alert');
    expect(result.comment(22, zammadMark(find('not a heading'))).content).toContain('# not a heading\n**not bold** <script>');
    for (const { content } of result.all('comment')) expect(content).not.toMatch(/<\/?(div|p|br|span|ul|li)\b/);
  });

  it('keeps files and pictures of the text with their article', async () => {
    const files = result.files(20);
    const named = (name: string) => files.find(({ file_name }) => file_name === name)!;
    // The name of a picture in the text is not part of the response: attachments that are inline are not listed.
    const sent = ['Größe 100%.txt', 'internal.txt', 'invoice 2024 (1).txt', 'lost.txt', 'only-a-file.txt'];
    const picture = files.find(({ file_name }) => !sent.includes(file_name))!;
    expect(
      files
        .filter((each) => each !== picture)
        .map(({ file_name }) => file_name)
        .toSorted(),
    ).toEqual(sent);
    const comments = new Map(result.comments(20).map((comment) => [comment.key, comment]));
    expect(comments.get(named('internal.txt').comment ?? '')?.is_internal).toBe(true);
    expect(comments.get(picture.comment ?? '')?.content).toContain('Look');
    expect(picture.file_name).not.toBe('');
    expect(await bytesOf('zammad', input, named('Größe 100%.txt').url!)).toBe('Content of Größe 100%.txt\n');
    expect(await bytesOf('zammad', input, named('invoice 2024 (1).txt').url!, 10)).toBe('file.too_large');
    expect(await bytesOf('zammad', input, named('lost.txt').url!)).toBe('file.unreachable');
    expect(sandbox.violations).toEqual([]);
  }, 60_000);

  it('reads the knowledge base with its categories, languages and states', () => {
    const bodies = result.all('article').map(({ body }) => body);
    for (let id = 1; id <= 12; id++) expect([id, bodies.filter((body) => body.includes(`ref${id}a`)).length]).toEqual([id, 1]);
    expect(bodies.filter((body) => /ref(4|8|12)b/.test(body))).toHaveLength(3);
    expect(bodies.every((body) => !body.includes('<ol>'))).toBe(true);
    const stateOf = (title: string) => result.all('article').find((each) => each.title === title)!;
    expect(stateOf('How to 1')).toMatchObject({ state: 'published', visibility: 'public' });
    expect(stateOf('How to 2').visibility).not.toBe('public');
    expect(stateOf('How to 3').state).toBe('draft');
    expect(stateOf('How to 4').state).not.toBe('published');
    expect(result.all('article_category').map(({ name }) => name)).toEqual(expect.arrayContaining(['Getting started', 'Billing']));
  });

  it('reads everything in spite of 429, 5xx and broken connections', async () => {
    sandbox.throttle = { requests: 500, windowMs: 500, retryAfter: '0' };
    sandbox.faults.answer({ status: 429, body: '' }, { path: '/by_ticket/', skip: 5 });
    sandbox.faults.answer({ status: 503, body: '<html>down</html>' }, { path: '/tickets?', skip: 1 });
    sandbox.faults.disconnect({ path: '/by_ticket/', skip: 20, times: 2 });
    const again = await read('zammad', input);
    expectAllOnce(again, ids);
    expect(again.all('comment')).toHaveLength(result.all('comment').length);
    expect([sandbox.faults.waiting, sandbox.requests.some(({ status }) => status === 429)]).toEqual([0, true]);
  }, 120_000);

  it('refuses tokens that are wrong or may not read tickets, and reads all tickets with a token that may read only those', async () => {
    expect(await failureOf('zammad', inputOf(sandbox.url, 'wrong'))).toBe('source.refused');
    expect(await failureOf('zammad', inputOf(sandbox.url, sandbox.issueToken('ada@acme.test', [])))).toBe('source.refused');
    expect(await failureOf('zammad', inputOf(sandbox.url, sandbox.issueToken('nicole.braun@zammad.org', ['ticket.customer'])))).toBe(
      'source.refused',
    );
    // Only tickets: no attributes, groups and knowledge base. All tickets are read all the same.
    const agent = await read('zammad', inputOf(sandbox.url, sandbox.issueToken('ada@acme.test', ['ticket.agent'])));
    expectAllOnce(agent, ids);
    expect(agent.all('article')).toEqual([]);
  }, 60_000);

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    sandbox.onRequest = () => void (sandbox.requests.length > 20 && controller.abort());
    await expect(read('zammad', { ...input, signal: controller.signal })).rejects.toThrow();
    expect(sandbox.requests.length).toBeLessThan(40);
  });

  // Last, because it changes the account.
  it('loses nothing and reads nothing twice when tickets are deleted while it reads', async () => {
    const removed = [5, 50, 95];
    sandbox.onRequest = (path) => {
      if (!/\/tickets(\/search)?\?/.test(path)) return;
      const id = removed[sandbox.requests.filter((each) => /\/tickets(\/search)?\?/.test(each.path)).length - 1];
      if (id) sandbox.world.remove(id);
    };
    const again = await read('zammad', input);
    const seen = again.all('ticket').map(({ key }) => idIn(key));
    expect(new Set(seen).size).toBe(seen.length);
    expect(readIds().filter((id) => !removed.includes(id) && !seen.includes(id))).toEqual([]);
    expect(sandbox.world.tickets).toHaveLength(ids.length - removed.length);
  }, 60_000);
});
