import { addComment, listTickets, updateTicket, type TicketSummary } from '@tandem/contracts';
import { sql } from 'kysely';
import { asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const list = (organization: TestOrganization, query: Record<string, string>) =>
  tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query });
const found = async (organization: TestOrganization, search: string, query: Record<string, string> = {}) =>
  (await list(organization, { search, ...query })).data.map(({ subject }) => subject);
const comment = (organization: TestOrganization, id: string, content: string, is_internal = false) =>
  tickets.call(addComment, asStaff(organization), { params: { id }, body: { content, is_internal } });

describe('a search by words', () => {
  let organization: TestOrganization;
  let moved: string;
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    const make = async (subject: string, description: string | null) => (await tickets.aTicket(organization, { subject, description })).id;
    const de = await make('de', 'Die Straße ist gesperrt, der Drucker brennt.');
    await make('fr', 'L’imprimante refuse d’imprimer après la mise à jour <b>majeure</b>');
    await make('ru', 'Принтер не работает с понедельника');
    await make('ar', 'الطابعة لا تعمل منذ الصباح');
    await make('el', 'Ο ΕΚΤΥΠΩΤΗΣ χάλασε');
    moved = await make('paths', 'See https://kb.example.com/guides/reset-password?x=1 and /var/log/app_error.log, code E-4711, $100 & 5%');
    await make('none', null);
    await comment(organization, de, 'Please restart the spooler 🎉');
    await comment(organization, de, 'The colleague knows: quarantine', true);
    await comment(organization, moved, 'Waiting for a technician');
  });
  it.each([
    ['drucker', ['de']],
    ['DRUCKER brennt', ['de']],
    ['brennt straße', ['de']],
    // All words must be in one text: 'drucker' is in the description, 'spooler' in a comment.
    ['drucker spooler', []],
    ['restart spooler', ['de']],
    ['quarantine', ['de']],
    ['imprimante', ['fr']],
    ['après majeure', ['fr']],
    ['принтер', ['ru']],
    ['понедельника ПРИНТЕР', ['ru']],
    ['الطابعة', ['ar']],
    ['εκτυπωτης', []],
    ['χάλασε', ['el']],
    ['reset-password', ['paths']],
    ['kb.example.com', ['paths']],
    ['app_error.log', ['paths']],
    ['E-4711', ['paths']],
    ['4711', ['paths']],
    ['$100', ['paths']],
    ['technic', []],
    ['technician', ['paths']],
    ['🎉', ['de']],
    ['&', []],
    ["technician' | 'x", []],
    ["' or true --", []],
    ['!technician', ['paths']],
    ['technician:*', ['paths']],
    ['\u202eتعمل', ['ar']],
    ['x'.repeat(200), []],
    ['🎉'.repeat(100), []],
    ['%'.repeat(200), []],
    ['\\'.repeat(199), []],
  ])('for %j finds whole words of one text, in any language and never as a pattern', async (search, subjects) => {
    const { status, data, pagination } = await list(organization, { search });
    expect(status).toBe(200);
    expect(data.map(({ subject }) => subject)).toEqual(subjects);
    expect(pagination.total).toBe(subjects.length);
  });
  it('rejects text that is too long or has NUL', async () => {
    for (const search of ['x'.repeat(201), 'x'.repeat(10_240), 'a\u0000b', 'a\u0007b']) {
      const { status, data } = await list(organization, { search });
      expect([status, data.errors?.[0]?.path]).toEqual([422, 'search']);
    }
  });
  it('finds an emoji in a subject', async () => {
    await tickets.aTicket(organization, { subject: 'Party 🎊 time', description: null });
    expect(await found(organization, '🎊')).toEqual(['Party 🎊 time']);
  });
  it('finds the changed description and subject, and not the previous ones', async () => {
    await tickets.call(updateTicket, asStaff(organization), {
      params: { id: moved },
      body: { description: 'Now about dolphins', subject: 'Whales' },
    });
    expect(await found(organization, '4711')).toEqual([]);
    expect(await found(organization, 'dolphins')).toEqual(['Whales']);
    expect(await found(organization, 'paths')).toEqual([]);
    expect(await found(organization, 'technician')).toEqual(['Whales']);
  });
  it('returns and counts a ticket with several matching comments once', async () => {
    const { id } = await tickets.aTicket(organization, { subject: 'Chatty', description: 'marmalade' });
    for (let i = 0; i < 5; i++) await comment(organization, id, `marmalade ${i}`);
    for (const sort of ['newest', 'oldest', 'updated', 'priority', 'due']) {
      const { data, pagination } = await list(organization, { search: 'marmalade', sort });
      expect([data.length, pagination.total]).toEqual([1, 1]);
    }
  });
  it('compares the values of filters literally, including special characters', async () => {
    const category = "50% %s o'clock \\ x.id";
    const tag = `a "b" \\ {c} 'd'`;
    const hostile = await tickets.aTicket(organization, { subject: 'harmless', category, tags: [tag] });
    await tickets.aTicket(organization, { subject: 'harmless', category: '50', tags: ['a'] });
    for (const query of [{ category }, { tag }, { category, tag, status: 'open' }] as Record<string, string>[]) {
      const { data, pagination } = await list(organization, { search: 'harmless', ...query });
      expect([data.map(({ id }) => id), pagination.total]).toEqual([[hostile.id], 1]);
    }
    expect(await found(organization, 'harmless', { category: "' or true --" })).toEqual([]);
  });
  it('is limited to the organization and to staff', async () => {
    const otherOrganization = await tickets.anOrganization();
    expect(await found(otherOrganization, 'drucker')).toEqual([]);
    expect((await tickets.call(listTickets, undefined, { query: { search: 'drucker' } })).status).toBe(401);
    expect((await tickets.call(listTickets, asToken(organization), { query: { search: 'drucker' } })).status).toBe(403);
  });
});

it.each([
  ['many different words', Array.from({ length: 20_000 }, (_, i) => (i + 10_000).toString(36).padStart(4, 'z')).join(' ')],
  ['one word without an end', 'x'.repeat(100_000)],
  ['letters of four bytes', '𐐀𐐁 '.repeat(20_000)],
  [
    'different letters of three bytes',
    Array.from({ length: 50_000 }, (_, i) => `${String.fromCodePoint(0x4e00 + (i % 20_000))} `).join(''),
  ],
  ['punctuation alone', '<>&"\'\\/@.-'.repeat(10_000)],
  ['markup', '<a href="https://x.example/y?z=1">&amp;</a>'.repeat(2_000)],
])('stores a text of 100,000 characters: %s', async (_, text) => {
  const organization = await tickets.anOrganization();
  const { id } = await tickets.aTicket(organization, { subject: 'Long', description: text.slice(0, 100_000).trim() });
  const { status } = await comment(organization, id, `${text.slice(0, 99_990).trim()} needle`);
  expect(status).toBe(201);
  expect(await found(organization, 'needle')).toEqual(['Long']);
});

it('indexes the start of a text if the whole would exceed the size of an index entry', async () => {
  const { rows } = await tickets.db.asSystem('test', (tx) =>
    sql<{ words: number; last: boolean }>`
      with big as (select search_words((select string_agg(md5(n::text) || md5(n::text || 'x'), ' ') from generate_series(1, 30000) n)) as words)
      select length(words) as words, words @@ plainto_tsquery('simple', md5('1') || md5('1x')) as last from big`.execute(tx),
  );
  expect(rows[0]!.words).toBeGreaterThan(5_000);
  expect(rows[0]!.words).toBeLessThan(30_000);
  expect(rows[0]!.last).toBe(true);
});

interface Row {
  ticket_number: string;
  subject: string;
  priority: string;
}
/** Stores many tickets directly, the oldest first. */
const insertTickets = (organization: TestOrganization, rows: Row[]) =>
  tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await sql`
      insert into tickets (organization_id, id, ticket_number, subject, priority, customer_email, created_at, updated_at)
      select ${organization.id}::uuid, gen_random_uuid(), ticket_number, subject, priority, 'c@example.com',
        timestamptz '2026-01-01' + n * interval '1 minute', now()
      from rows from (jsonb_to_recordset(${JSON.stringify(rows)}) as (ticket_number text, subject text, priority text)) with ordinality
        as t (ticket_number, subject, priority, n)`.execute(tx);
    await tx.updateTable('ticket_counters').set({ last_number: rows.length }).execute();
  });

it('counts tickets and not their texts, also with thousands of matching comments', async () => {
  const organization = await tickets.anOrganization();
  // Enough newer tickets that the index is used.
  const subjects = [...Array<string>(3).fill('Chatty'), ...Array<string>(5).fill('Quiet'), ...Array<string>(600).fill('Other')];
  await insertTickets(
    organization,
    subjects.map((subject, n) => ({ ticket_number: `N-${n}`, subject, priority: 'low' })),
  );
  await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await sql`
      insert into comments (organization_id, id, ticket_id, content, is_internal, is_from_customer, user_id, created_at)
      select ${organization.id}::uuid, gen_random_uuid(), t.id, 'marmalade', true, false, ${organization.agent}::uuid, now()
      from tickets t, generate_series(1, 800) n where t.subject = 'Chatty'`.execute(tx);
    // After the comments, so that their texts are behind those of the comments in the table.
    await tx.updateTable('tickets').set({ subject: 'marmalade' }).where('subject', '=', 'Quiet').execute();
  });
  for (const sort of ['newest', 'oldest', 'priority']) {
    const { data, pagination } = await list(organization, { search: 'marmalade', sort, limit: '5' });
    expect([data.length, pagination.total]).toEqual([5, 8]);
  }
  expect((await list(organization, { search: 'marmalade', priority: 'low', limit: '5' })).pagination.total).toBe(8);
});

describe('in an organization with thousands of tickets', () => {
  /** The oldest 2,600 have one word and the newest 600 another; 40 of the old ones have a rare word as well. */
  const all = Array.from({ length: 3_200 }, (_, n) => ({
    ticket_number: `N-${n}`,
    subject: `${n < 2_600 ? 'plenty' : n % 2 === 0 ? 'recent' : 'other'}${n < 2_600 && n % 65 === 0 ? ' seldom' : ''}`,
    priority: n % 7 === 0 ? 'high' : 'low',
  }));
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    await insertTickets(organization, all);
  });

  const words = ['plenty', 'recent', 'seldom', 'nowhere'];
  const cases = words.flatMap((search) =>
    ['newest', 'oldest'].flatMap((sort) => [{}, { priority: 'high' }].map((rest) => ({ search, sort, ...rest }))),
  );
  it.each(cases)('finds and counts the tickets of %j, page by page', async (query: { search: string; sort: string; priority?: string }) => {
    const matches = all.filter(({ subject, priority }) => subject.includes(query.search) && (query.priority ?? priority) === priority);
    const expected = (query.sort === 'newest' ? matches.toReversed() : matches).map(({ ticket_number }) => ticket_number);
    const total = matches.length > 1_000 ? { total: 1_000, total_is_capped: true } : { total: matches.length };
    const numbersOf = ({ data }: { data: TicketSummary[] }) => data.map(({ ticket_number }) => ticket_number);
    const first = await list(organization, query);
    expect(numbersOf(first)).toEqual(expected.slice(0, 20));
    expect(first.pagination).toMatchObject(total);
    const third = await list(organization, { ...query, page: '3' });
    expect(numbersOf(third)).toEqual(expected.slice(40, 60));
    const { next_cursor } = first.pagination;
    expect(next_cursor === null).toBe(matches.length <= 20);
    if (next_cursor === null) return;
    const second = await list(organization, { ...query, cursor: next_cursor });
    expect(numbersOf(second)).toEqual(expected.slice(20, 40));
  });
});

it('a search counts up to 1,000, and sorts only the 1,000 newest matches in orders other than by age', async () => {
  const organization = await tickets.anOrganization();
  await insertTickets(
    organization,
    Array.from({ length: 1_050 }, (_, n) => ({ ticket_number: `N-${n}`, subject: 'Plenty', priority: 'low' })),
  );
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, pagination } = await list(organization, {
      search: 'plenty',
      sort: 'priority',
      limit: '100',
      ...(cursor ? { cursor } : {}),
    });
    expect(pagination).toMatchObject({ total: 1_000, total_is_capped: true });
    for (const { id } of data) ids.add(id);
    cursor = pagination.next_cursor;
  }
  expect(ids.size).toBe(1_000);
  expect((await list(organization, { search: 'plenty', sort: 'oldest' })).pagination).toMatchObject({
    total: 1_000,
    total_is_capped: true,
  });
});
