import {
  addComment,
  addPublicComment,
  listPublicComments,
  mergeTicket,
  readPublicTicket,
  submitTicket,
  updateTicket,
  type AddedPublicComment,
  type Context,
  type PublicComment,
  type PublicTicket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  [organization, otherOrganization] = [await tickets.anOrganization(), await tickets.anOrganization()];
});
afterAll(() => tickets?.close());

const email = 'carla@example.com';
const customer = () => asCustomer(organization.id);
const read = async (id: string, address = email) =>
  (await tickets.call<PublicTicket>(readPublicTicket, customer(), { params: { id }, query: { email: address } })).data;
const page = (id: string, query: Record<string, string> = {}, ctx: Context = customer()) =>
  tickets.call<PublicComment[]>(listPublicComments, ctx, { params: { id }, query: { email, ...query } });
const postComment = (id: string, body: object) =>
  tickets.call<AddedPublicComment>(addPublicComment, customer(), { params: { id }, body: { email, ...body } });

/** Writes comments `1` to `n`; `isNote` selects the internal ones and `at` sets their times. */
const write = (ticket_id: string, n: number, isNote: (i: number) => boolean, at = (i: number) => new Date(1.75e12 + i * 1000)) =>
  tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    const rows = Array.from({ length: n }, (_, index) => index + 1).map((i) => ({
      organization_id: organization.id,
      id: newId(),
      ticket_id,
      content: String(i),
      is_internal: isNote(i),
      is_from_customer: false,
      user_id: organization.agent,
      customer_email: null,
      mentions: [],
      merged_from_id: null,
      has_original: false,
      email_proof: null,
      created_at: at(i).toISOString(),
    }));
    for (let from = 0; from < n; from += 1000)
      await tx
        .insertInto('comments')
        .values(rows.slice(from, from + 1000))
        .execute();
    await tx.updateTable('tickets').set({ comment_count: n }).where('id', '=', ticket_id).execute();
  });
const contents = (comments: PublicComment[]) => comments.map(({ content }) => Number(content));
const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe('pages', () => {
  it.each([
    ['each with its own time', undefined],
    ['all at the same time', () => new Date(1.75e12)],
  ])('show the latest 50 and continue without gaps (%s)', async (_what, at) => {
    const { id } = await tickets.aTicket(organization);
    // Every third one is a note: 125 of 187 are public.
    await write(id, 187, (i) => i % 3 === 0, at);
    const shown = down(187, 1).filter((i) => i % 3 !== 0);
    const ticket = await read(id);
    const seen = contents(ticket.comments).reverse();
    expect(seen).toHaveLength(50);
    for (let cursor = ticket.earlier_cursor; cursor !== null;) {
      const { data, pagination } = await page(id, { cursor, limit: '20' });
      expect(pagination.total).toBe(125);
      seen.push(...contents(data));
      cursor = pagination.next_cursor;
    }
    expect(seen).toEqual(shown);
  });
  it('the last page has no cursor', async () => {
    const { id } = await tickets.aTicket(organization);
    await write(id, 50, () => false);
    expect([(await read(id)).comments.length, (await read(id)).earlier_cursor]).toEqual([50, null]);
    await write(id, 3, () => true);
    expect((await read(id)).earlier_cursor).toBeNull();
  });
  it('have no gaps and no repetitions while comments are added', async () => {
    const { id } = await tickets.aTicket(organization);
    await write(id, 60, () => false);
    const { comments, earlier_cursor } = await read(id);
    await postComment(id, { content: '1000' });
    const { data } = await page(id, { cursor: earlier_cursor! });
    expect([contents(comments).reverse(), contents(data)]).toEqual([down(60, 11), down(10, 1)]);
  });
  it('start with the latest comment without a cursor, and never contain a note', async () => {
    const { id } = await tickets.aTicket(organization);
    await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Between us', is_internal: true } });
    await postComment(id, { content: 'One' });
    await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Two' } });
    const { data, pagination } = await page(id);
    expect(data.map(({ content, author_name }) => [content, author_name])).toEqual([['Two', 'Ada agent'], ['One', 'Carla']]); // prettier-ignore
    expect(pagination).toMatchObject({ page: 1, total: 2, next_cursor: null });
    expect(JSON.stringify([data, pagination])).not.toMatch(/Between us|user_id|is_internal/);
  });
  it('return the same error for an unknown ID, a wrong address and another organization, with any cursor', async () => {
    const { id } = await tickets.aTicket(organization);
    const cursor = 'bm9uc2Vuc2U';
    const answers = [
      await page(newId()),
      await page(id, { email: 'eve@example.com' }),
      await page(id, { email: 'eve@example.com', cursor }),
      await page(id, {}, asCustomer(otherOrganization.id)),
    ];
    for (const { status, data } of answers) expect([status, data]).toEqual([404, answers[0]?.data]);
    expect((await page(id, { cursor })).data.errors?.[0]?.path).toBe('cursor');
    expect((await page(id, { email: '' })).data.errors?.[0]?.path).toBe('email');
    expect((await page(id, { include: 'internal' })).status).toBe(422);
  });
});

describe('a conversation of ten thousand comments', () => {
  interface Plan {
    Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };
  }
  it('reads no more rows per page than a short conversation, despite thousands of notes', async () => {
    const { id } = await tickets.aTicket(organization);
    await write(id, 10_000, (i) => i > 600 && i <= 9_400);
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const explain = async (before: string) => {
        const { rows } = await sql<{ 'QUERY PLAN': Plan[] }>`explain (analyze, buffers, format json)
          select id, content from comments where ticket_id = ${id} and is_internal = false and (created_at, id) < (${before}, ${newId()}::uuid)
          order by created_at desc, id desc limit 21`.execute(tx);
        const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
        return { text: JSON.stringify(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
      };
      // One page that starts below the notes, and one without notes in between.
      for (const i of [9_400, 400]) {
        const { text, blocks } = await explain(new Date(1.75e12 + i * 1000).toISOString());
        expect(text).toContain('comments_of_customer');
        expect(blocks).toBeLessThan(60);
      }
    });
    const { comments, earlier_cursor } = await read(id);
    expect(contents(comments)).toEqual(down(10_000, 9_951).reverse());
    const { data, pagination } = await page(id, { cursor: earlier_cursor!, limit: '100' });
    expect(contents(data)).toEqual(down(9_950, 9_851));
    expect(pagination).toMatchObject({ total: 1_000, total_is_capped: true });
  });
});

describe('the rest of the page', () => {
  it('shows files of the description and of public comments, but not of notes', async () => {
    const [described, commented, noted] = [
      await tickets.aFile(customer()),
      await tickets.aFile(customer()),
      await tickets.aFile(asStaff(organization)),
    ];
    const body = { subject: 'Fire', customer_email: email, attachment_ids: [described.id] };
    const opened = (await tickets.call<PublicTicket>(submitTicket, customer(), { body })).data;
    expect(opened.attachments).toEqual([described]);
    const { data } = await postComment(opened.id, { content: 'Look', attachment_ids: [commented.id] });
    expect(data.comment?.attachments).toEqual([commented]);
    const note = { content: 'For us', is_internal: true, attachment_ids: [noted.id] };
    await tickets.call(addComment, asStaff(organization), { params: { id: opened.id }, body: note });
    const ticket = await read(opened.id);
    expect([ticket.attachments, ticket.comments.map(({ attachments }) => attachments)]).toEqual([[described], [[commented]]]);
    expect((await page(opened.id)).data.map(({ attachments }) => attachments)).toEqual([[commented]]);
  });
  it('links the ticket that this one follows up, while both belong to the same customer', async () => {
    const before = await tickets.aTicket(organization);
    const { id } = await tickets.aTicket(organization, { follow_up_of_id: before.id });
    expect((await read(id)).follow_up_of).toEqual({ id: before.id, ticket_number: before.ticket_number });
    await tickets.call(updateTicket, asStaff(organization), { params: { id: before.id }, body: { customer_email: 'dora@example.com' } });
    expect((await read(id)).follow_up_of).toBeNull();
  });
  it('links the target of a merged ticket, which is locked', async () => {
    const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
    expect(await read(source.id)).toMatchObject({
      merged_into: { id: target.id, ticket_number: target.ticket_number },
      writing: 'locked',
      comments: [],
      attachments: [],
    });
  });
});
