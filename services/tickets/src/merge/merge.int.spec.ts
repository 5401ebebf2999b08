import {
  addComment,
  addPublicComment,
  listComments,
  listTickets,
  mergeTicket,
  readDraft,
  readPublicTicket,
  readTicket,
  readTimeline,
  saveDraft,
  unmergeTicket,
  updateTicket,
  type Activity,
  type Comment,
  type Draft,
  type PublicTicket,
  type Role,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asCustomer, asUserWithoutOrganization, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { mergeTickets } from './merge.service';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const merge = (id: string, into_id: string, ctx = asStaff(organization)) =>
  tickets.call<Ticket>(mergeTicket, ctx, { params: { id }, body: { into_id } });
const unmerge = (id: string, ctx = asStaff(organization)) => tickets.call<Ticket>(unmergeTicket, ctx, { params: { id } });
const add = (id: string, content: string, ctx = asStaff(organization)) =>
  tickets.call<Comment>(addComment, ctx, { params: { id }, body: { content } });
const read = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;
const comments = async (id: string) => (await tickets.call<Comment[]>(listComments, asStaff(organization), { params: { id } })).data;
const timeline = async (id: string) => (await tickets.call<Activity[]>(readTimeline, asStaff(organization), { params: { id } })).data;
const inPlace = <T>(work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
  tickets.db.forTenant({ organization_id: organization.id }, work);
const email = 'carla@example.com';

it('moves the conversation in chronological order, closes the duplicate and emits events for both tickets', async () => {
  const target = await tickets.aTicket(organization, { description: 'The first question', tags: ['a'] });
  const source = await tickets.aTicket(organization, { description: 'The same question', tags: ['b', 'a'] });
  await add(target.id, 'Answer');
  await add(source.id, 'Other answer', asStaff(organization, 'manager'));
  const { status, data } = await merge(source.id, target.id);
  expect(status).toBe(200);
  expect(data).toEqual(await read(target.id));
  expect(data).toMatchObject({ comment_count: 3, tags: ['a', 'b'], status: 'open', version: 3 });
  const closed = await read(source.id);
  expect(closed).toMatchObject({
    status: 'closed',
    comment_count: 0,
    merged_into_id: target.id,
    description: 'The same question',
    version: 3,
  });
  expect(await comments(source.id)).toEqual([]);
  const shared = { ticket_id: target.id, is_internal: false, attachments: [] };
  expect(await comments(target.id)).toMatchObject([
    { ...shared, content: 'The same question', is_from_customer: true, customer_email: email, user_id: null, merged_from_id: source.id, created_at: source.created_at },
    { ...shared, content: 'Answer', user_id: organization.agent, merged_from_id: null },
    { ...shared, content: 'Other answer', user_id: organization.manager, merged_from_id: source.id },
  ]); // prettier-ignore
  const named = (ticket: Ticket) => ({ from: null, to: { id: ticket.id, ticket_number: ticket.ticket_number } });
  const step = { status: { from: 'open', to: 'closed' }, merged_into: named(target) };
  const taken = { tags: { from: ['a'], to: ['a', 'b'] }, merged: named(source) };
  expect((await timeline(source.id))[0]).toMatchObject({ kind: 'changed', user_id: organization.agent, changes: step });
  expect((await timeline(target.id))[0]).toMatchObject({ kind: 'merged', user_id: organization.agent, changes: taken });
  const [, , ofTarget, ...noMore] = await tickets.events(target.id);
  expect([ofTarget, noMore]).toMatchObject([{ type: 'ticket.updated', data: { ticket: data, changes: taken } }, []]);
  expect((await tickets.events(source.id)).slice(2)).toMatchObject([
    { type: 'ticket.updated', data: { ticket: closed, changes: step } },
    { type: 'ticket.merged', data: { ticket: closed, into: data } },
  ]);
});
it('moves the search rows of comments without indexing their texts again', async () => {
  const target = await tickets.aTicket(organization);
  const source = await tickets.aTicket(organization);
  const { data: comment } = await add(source.id, 'About the toner');
  // Replace the indexed words: a search that finds them shows that the comment was not indexed again.
  await inPlace((tx) => sql`update ticket_texts set words = 'zebrafish' where source_id = ${comment.id}`.execute(tx));
  expect((await merge(source.id, target.id)).status).toBe(200);
  const found = async (search: string) =>
    (await tickets.call<Ticket[]>(listTickets, asStaff(organization), { query: { search } })).data.map(({ id }) => id);
  expect(await found('zebrafish')).toEqual([target.id]);
  await inPlace((tx) => sql`update comments set content = 'About the drum' where id = ${comment.id}`.execute(tx));
  expect([await found('zebrafish'), await found('drum')]).toEqual([[], [target.id]]);
});
it('moves files and watchers, and creates no comment for an empty description', async () => {
  const target = await tickets.aTicket(organization);
  const source = await tickets.aTicket(organization, { description: 'See the picture' });
  const empty = await tickets.aTicket(organization, { description: null });
  const { data: comment } = await add(source.id, 'With a file');
  const file = async (ticket_id: string, comment_id: string | null) => {
    const id = newId();
    const row = { id, organization_id: organization.id, file_name: 'a.png', size: 1, content_type: 'image/png', user_id: null, created_at: comment.created_at };
    await inPlace((tx) => tx.insertInto('attachments').values({ ...row, ticket_id, comment_id, from_customer: false }).execute());
    return id;
  }; // prettier-ignore
  const [described, commented, alone] = [await file(source.id, null), await file(source.id, comment.id), await file(empty.id, null)];
  await inPlace((tx) =>
    tx
      .updateTable('tickets')
      .set({ watchers: [organization.admin, organization.agent] })
      .where('id', '=', source.id)
      .execute(),
  );
  await inPlace((tx) =>
    tx
      .updateTable('tickets')
      .set({ watchers: [organization.agent] })
      .where('id', '=', target.id)
      .execute(),
  );
  expect((await merge(source.id, target.id)).data.watchers).toEqual([organization.agent, organization.admin]);
  expect((await merge(empty.id, target.id)).data.comment_count).toBe(2);
  const question = (await comments(target.id)).find(({ content }) => content === 'See the picture')!;
  const rows = await inPlace((tx) => tx.selectFrom('attachments').select(['id', 'comment_id', 'ticket_id']).execute());
  expect(Object.fromEntries(rows.map((row) => [row.id, row.comment_id]))).toMatchObject({
    [described]: question.id,
    [commented]: comment.id,
    [alone]: null,
  });
  expect(new Set(rows.map(({ ticket_id }) => ticket_id))).toEqual(new Set([target.id]));
});
it('merges tags and watchers up to their maximum', async () => {
  const tags = (letter: string) => Array.from({ length: 15 }, (_, i) => `${letter}${i}`);
  const people = () => Array.from({ length: 30 }, () => newId());
  const target = await tickets.aTicket(organization, { tags: tags('a') });
  const source = await tickets.aTicket(organization, { tags: tags('b') });
  for (const { id } of [target, source])
    await inPlace((tx) => tx.updateTable('tickets').set({ watchers: people() }).where('id', '=', id).execute());
  const { watchers } = await read(target.id);
  const { data } = await merge(source.id, target.id);
  expect(data.tags).toEqual([...tags('a'), ...tags('b').slice(0, 5)]);
  expect([data.watchers.length, data.watchers.slice(0, 30)]).toEqual([50, watchers]);
});
it('moves drafts to the target, unless the user has a draft there', async () => {
  const [target, source] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  const draft = (id: string, role: Role) => tickets.call<Draft>(readDraft, asStaff(organization, role), { params: { id } });
  const save = (id: string, content: string, role: Role) =>
    tickets.call(saveDraft, asStaff(organization, role), { params: { id }, body: { content } });
  await save(source.id, 'Moves', 'agent');
  await save(source.id, 'Stays', 'admin');
  await save(target.id, 'Was here', 'admin');
  await merge(source.id, target.id);
  expect((await draft(target.id, 'agent')).data.content).toBe('Moves');
  expect((await draft(source.id, 'agent')).data.content).toBe('');
  expect((await draft(target.id, 'admin')).data.content).toBe('Was here');
  expect((await draft(source.id, 'admin')).data.content).toBe('Stays');
});
it('keeps the original ticket of a comment after a second merge, and links the customer to the last target', async () => {
  const [first, second, third] = [
    await tickets.aTicket(organization),
    await tickets.aTicket(organization),
    await tickets.aTicket(organization),
  ];
  const { data: comment } = await add(first.id, 'Written first');
  await merge(first.id, second.id);
  await merge(second.id, third.id);
  const moved = (await comments(third.id)).find(({ id }) => id === comment.id);
  expect(moved?.merged_from_id).toBe(first.id);
  const portal = (id: string, query = { email }) =>
    tickets.call<PublicTicket>(readPublicTicket, asCustomer(organization.id), { params: { id }, query });
  expect((await portal(first.id)).data).toMatchObject({
    status: 'closed',
    comments: [],
    merged_into: { id: third.id, ticket_number: third.ticket_number },
  });
  expect((await portal(third.id)).data.merged_into).toBeNull();
  // Once the ticket belongs to another customer, its number is no longer shown.
  await tickets.call(updateTicket, asStaff(organization), { params: { id: third.id }, body: { customer_email: 'bob@example.com' } });
  expect((await portal(first.id)).data.merged_into).toBeNull();
});
it('rejects comments on a merged ticket, which stays closed', async () => {
  const [target, source] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  await merge(source.id, target.id);
  const before = await read(source.id);
  const detail = `This ticket was merged into ${target.ticket_number}. Continue there.`;
  for (const ctx of [asStaff(organization, 'admin'), asToken(organization, 'tickets:write')]) {
    const { status, data } = await add(source.id, 'Too late', ctx);
    expect([status, data.code, data.detail]).toEqual([423, 'ticket.locked', detail]);
  }
  const body = { email, content: 'Too late' };
  expect((await tickets.call(addPublicComment, asCustomer(organization.id), { params: { id: source.id }, body })).data.code).toBe(
    'ticket.locked',
  );
  for (const status of ['open', 'resolved']) {
    const answer = await tickets.call(updateTicket, asStaff(organization), {
      params: { id: source.id },
      body: { status, priority: 'urgent' },
    });
    expect([answer.status, answer.data.code, answer.data.detail]).toEqual([423, 'ticket.locked', detail]);
  }
  expect(await read(source.id)).toEqual(before);
  expect((await tickets.call(updateTicket, asStaff(organization), { params: { id: source.id }, body: { subject: 'New' } })).status).toBe(
    200,
  );
});
it('rejects merges that are not allowed with a reason, and changes nothing', async () => {
  const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  const stranger = await tickets.aTicket(organization, { customer_email: 'bob@example.com' });
  const [gone, over] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  await merge(gone.id, over.id);
  for (const [id, into, detail] of [
    [source.id, source.id, /into itself/],
    [source.id, stranger.id, /carla@example\.com.*bob@example\.com/],
    [source.id, gone.id, /Merge into that one instead/],
    [gone.id, target.id, /already been merged into another ticket/],
    [over.id, gone.id, /already/],
  ] as const) {
    const { status, data } = await merge(id, into);
    expect([status, data.code]).toEqual([409, 'ticket.merge_refused']);
    expect(data.detail).toMatch(detail);
  }
  for (const ticket of [source, target, stranger]) expect(await read(ticket.id)).toEqual(ticket);
  for (const body of [{}, { into_id: 'x' }, { into_id: target.id, force: true }])
    expect((await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body })).status).toBe(422);
});
it('rejects one of two concurrent merges in opposite directions, without a deadlock', async () => {
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    const answers = await Promise.all([merge(a.id, b.id), merge(b.id, a.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect([(await read(a.id)).merged_into_id, (await read(b.id)).merged_into_id].filter(Boolean)).toHaveLength(1);
  }
});
it('moves or rejects a comment that is written during the merge', async () => {
  const [target, source] = [await tickets.aTicket(organization), await tickets.aTicket(organization, { description: null })];
  const writing = Array.from({ length: 12 }, (_, i) => add(source.id, `${i}`));
  const [merged, ...answers] = await Promise.all([merge(source.id, target.id), ...writing]);
  expect(merged.status).toBe(200);
  const accepted = answers.filter(({ status }) => status === 201).map(({ data }) => data.id);
  expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 423)).toBe(true);
  expect((await comments(target.id)).map(({ id }) => id).sort()).toEqual([...accepted].sort());
  expect([(await read(target.id)).comment_count, (await read(source.id)).comment_count]).toEqual([accepted.length, 0]);
});
it.each(['throws', 'loses its connection'])('leaves both tickets unchanged if it %s halfway', async (how) => {
  const [target, source] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  await add(source.id, 'Stays here');
  const state = async () => [await read(target.id), await read(source.id), await comments(target.id), await comments(source.id)];
  const before = await state();
  const failing = inPlace(async (tx) => {
    await mergeTickets(tx, asStaff(organization), source.id, target.id);
    if (how === 'throws') throw new Error('in the middle');
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
  });
  await expect(failing).rejects.toThrow();
  expect(await state()).toEqual(before);
  expect((await timeline(source.id)).concat(await timeline(target.id)).map(({ kind }) => kind)).toEqual(['created', 'created']);
  expect((await tickets.eventTypes(source.id)).includes('ticket.merged')).toBe(false);
});
it('allows every role and a token with write permission to merge, and no other caller', async () => {
  const target = await tickets.aTicket(organization);
  for (const ctx of [
    asStaff(organization, 'admin'),
    asStaff(organization, 'manager'),
    asStaff(organization),
    asToken(organization, 'tickets:write'),
  ])
    expect((await merge((await tickets.aTicket(organization)).id, target.id, ctx)).status).toBe(200);
  const { id } = await tickets.aTicket(organization);
  for (const ctx of [asUserWithoutOrganization(), asToken(organization, 'tickets:read')])
    expect((await merge(id, target.id, ctx)).status).toBe(403);
  expect((await merge(id, target.id, asCustomer(organization.id))).status).toBe(401);
  expect((await read(id)).merged_into_id).toBeNull();
});
it('returns not found if either ticket is of another organization', async () => {
  const ours = await tickets.aTicket(organization);
  const theirs = await tickets.aTicket(otherOrganization);
  for (const [id, into] of [
    [ours.id, theirs.id],
    [theirs.id, ours.id],
    [ours.id, newId()],
    [newId(), ours.id],
  ] as const)
    expect((await merge(id, into)).data.code).toBe('ticket.not_found');
  expect(await read(ours.id)).toEqual(ours);
});

describe('undoing a merge', () => {
  const volatile = { version: expect.any(Number) as number, updated_at: expect.any(String) as string };
  const files = (ids: string[]) =>
    inPlace((tx) => tx.selectFrom('attachments').select(['id', 'ticket_id', 'comment_id']).where('id', 'in', ids).orderBy('id').execute());
  const originals = (ticket_id: string) =>
    inPlace((tx) => tx.selectFrom('mail_originals').select(['comment_id', 'text']).where('ticket_id', '=', ticket_id).execute());

  it('moves everything back and restores both tickets', async () => {
    const target = await tickets.aTicket(organization, { description: 'The first question', tags: ['a'] });
    const earlier = await tickets.aTicket(organization, { description: 'Merged earlier' });
    const source = await tickets.aTicket(organization, { description: 'The same question', tags: ['b'] });
    await merge(earlier.id, source.id);
    const { data: comment } = await add(source.id, 'Other answer');
    await add(target.id, 'Answer');
    const file = async (comment_id: string | null) => {
      const id = newId();
      const row = { id, organization_id: organization.id, file_name: 'a.png', size: 1, content_type: 'image/png', user_id: null };
      await inPlace((tx) =>
        tx
          .insertInto('attachments')
          .values({ ...row, created_at: comment.created_at, ticket_id: source.id, comment_id, from_customer: false })
          .execute(),
      );
      return id;
    };
    const ids = [await file(null), await file(comment.id)];
    for (const comment_id of [null, comment.id])
      await inPlace((tx) =>
        tx
          .insertInto('mail_originals')
          .values({ organization_id: organization.id, ticket_id: source.id, comment_id, text: comment_id ?? 'opened it' })
          .execute(),
      );
    await tickets.call(saveDraft, asStaff(organization), { params: { id: source.id }, body: { content: 'Draft' } });
    await tickets.call(updateTicket, asStaff(organization), { params: { id: source.id }, body: { status: 'in_progress' } });
    await inPlace((tx) =>
      tx
        .updateTable('tickets')
        .set({ watchers: [organization.admin] })
        .where('id', '=', source.id)
        .execute(),
    );
    const before = { source: await read(source.id), target: await read(target.id) };
    const conversation = await comments(source.id);
    const [filesBefore, originalsBefore] = [await files(ids), await originals(source.id)];

    await merge(source.id, target.id);
    expect((await comments(target.id)).length).toBe(4);
    const { status, data } = await unmerge(source.id);
    expect(status).toBe(200);
    // The merge counted as the end of work, so this counts as a reopening.
    expect(data).toMatchObject({ ...before.source, ...volatile, reopen_count: 1 });
    expect(await read(source.id)).toEqual(data);
    expect(await read(target.id)).toMatchObject({ ...before.target, ...volatile });
    expect(await comments(source.id)).toEqual(conversation);
    expect((await comments(target.id)).map(({ content }) => content)).toEqual(['Answer']);
    expect(await files(ids)).toEqual(filesBefore);
    expect(await originals(source.id)).toEqual(originalsBefore);
    expect((await tickets.call<Draft>(readDraft, asStaff(organization), { params: { id: source.id } })).data.content).toBe('Draft');
    expect((await tickets.call<Ticket[]>(listTickets, asStaff(organization), { query: { search: 'Other answer' } })).data.map(({ id }) => id)).toContain(source.id); // prettier-ignore

    const named = ({ id, ticket_number }: Ticket) => ({ from: { id, ticket_number }, to: null });
    expect((await timeline(source.id))[0]).toMatchObject({
      kind: 'changed',
      user_id: organization.agent,
      changes: { status: { from: 'closed', to: 'in_progress' }, merged_into: named(target) },
    });
    expect((await timeline(target.id))[0]).toMatchObject({ kind: 'changed', changes: { merged: named(source) } });
    expect((await tickets.events(source.id)).at(-1)).toMatchObject({ type: 'ticket.updated', data: { ticket: data } });
    expect((await merge(source.id, target.id)).status).toBe(200);
  });

  it('is refused once either ticket has changed, and for a ticket that is not merged', async () => {
    const pair = async () => {
      const [target, source] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
      await merge(source.id, target.id);
      return { target, source };
    };
    const { target, source } = await pair();
    await add(target.id, 'Answered in the meantime');
    expect(await unmerge(source.id)).toMatchObject({
      status: 409,
      data: { code: 'ticket.unmerge_refused', detail: `${target.ticket_number} has changed since the merge.` },
    });
    expect((await unmerge(target.id)).data).toMatchObject({ code: 'ticket.unmerge_refused' });
    const twice = await pair();
    const both = await Promise.all([unmerge(twice.source.id), unmerge(twice.source.id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('undoes several merges into one ticket, the latest first, until the ticket was changed otherwise', async () => {
    const target = await tickets.aTicket(organization, { description: 'The first question', tags: ['a'] });
    const sources = [];
    for (const description of ['Before an answer', 'After it', 'The last'])
      sources.push(await tickets.aTicket(organization, { description, tags: [description] }));
    const [first, second, third] = sources as [Ticket, Ticket, Ticket];
    await merge(first.id, target.id);
    await add(target.id, 'Answer');
    const answered = await read(target.id);
    for (const { id } of [second, third]) await merge(id, target.id);
    expect((await unmerge(second.id)).data).toMatchObject({ detail: `${target.ticket_number} has changed since the merge.` });
    for (const { id } of [third, second]) expect((await unmerge(id)).status).toBe(200);
    expect(await read(target.id)).toMatchObject({ ...answered, ...volatile });
    expect((await unmerge(first.id)).data).toMatchObject({ detail: `${target.ticket_number} has changed since the merge.` });
  });

  it('is only possible for members of the organization with write permission', async () => {
    const [target, source] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await merge(source.id, target.id);
    expect((await unmerge(source.id, asStaff(otherOrganization))).status).toBe(404);
    expect((await unmerge(newId())).status).toBe(404);
    expect((await unmerge('1')).status).toBe(422);
    expect((await unmerge(source.id, asCustomer(organization.id))).status).toBe(401);
    expect((await unmerge(source.id, asToken(organization, 'tickets:write'))).status).toBe(403);
    expect((await unmerge(source.id, asStaff(organization, 'manager'))).status).toBe(200);
  });
});
