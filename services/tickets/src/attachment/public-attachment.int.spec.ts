import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addComment,
  addPublicComment,
  announcePublicAttachment,
  linkAttachment,
  linkPublicAttachment,
  mergeTicket,
  submitTicket,
  type AddedPublicComment,
  type Attachment,
  type Context,
  type PublicTicket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { signContext } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start({ SWEEP_MS: '200' });
  [organization, otherOrganization] = [await tickets.anOrganization(), await tickets.anOrganization()];
});
afterAll(() => tickets?.close());

const email = 'carla@example.com';
const customer = () => asCustomer(organization.id);
const announce = (body: unknown, ctx: Context = customer()) =>
  tickets.call<{ attachment_id: string; upload_url: string }>(announcePublicAttachment, ctx, { body });
const submit = (attachment_ids: string[], ctx: Context = customer()) =>
  tickets.call<PublicTicket>(submitTicket, ctx, { body: { subject: 'Fire', customer_email: email, attachment_ids } });
const postComment = (id: string, attachment_ids: string[], address = email) =>
  tickets.call<AddedPublicComment>(addPublicComment, customer(), {
    params: { id },
    body: { email: address, content: 'Look', attachment_ids },
  });
const reply = (id: string, attachment_ids: string[], is_internal = false, ctx = asStaff(organization)) =>
  tickets.call(addComment, ctx, { params: { id }, body: { content: 'Look', is_internal, attachment_ids } });
const link = (id: string, attachmentId: string, address = email, ctx: Context = customer()) =>
  tickets.call<{ url: string }>(linkPublicAttachment, ctx, { params: { id, attachmentId }, body: { email: address } });
const row = (id: string) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.selectFrom('attachments').selectAll().where('id', '=', id).executeTakeFirst(),
  );
const bytesOf = async (url: string) => {
  const headers = { 'x-tandem-context': signContext(customer(), tickets.secret) };
  return (await fetch(`${tickets.url}${url.replace('/api/v1', '')}`, { headers })).text();
};

it('a customer’s file is attached by ID and readable with access to its ticket', async () => {
  const file = await tickets.aFile(customer(), 'The bytes');
  expect(await row(file.id)).toMatchObject({ from_customer: true, user_id: null, ticket_id: null });
  const { data } = await submit([file.id]);
  expect(data.attachments).toEqual([file]);
  expect(await bytesOf((await link(data.id, file.id, ' Carla@EXAMPLE.com')).data.url)).toBe('The bytes');
  const byStaff = await tickets.call<{ url: string }>(linkAttachment, asStaff(organization), { params: { id: file.id } });
  expect(await bytesOf(byStaff.data.url)).toBe('The bytes');
});

it('a file is attached once by concurrent messages', async () => {
  const file = await tickets.aFile(customer());
  const answers = await Promise.all([submit([file.id]), submit([file.id]), submit([file.id])]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  expect(answers.find(({ status }) => status === 422)?.data).toMatchObject({
    code: 'attachment.not_usable',
    errors: [{ path: 'attachment_ids.0' }],
  });
});

it('customers cannot attach files of staff, nor staff those of customers', async () => {
  const { id } = await tickets.aTicket(organization);
  const theirs = await tickets.aFile(customer());
  for (const ctx of [asStaff(organization), asToken(organization, 'tickets:read', 'tickets:write')]) {
    expect((await reply(id, [theirs.id], false, ctx)).data.code).toBe('attachment.not_usable');
    expect((await tickets.call(linkAttachment, ctx, { params: { id: theirs.id } })).status).toBe(404);
    const ours = await tickets.aFile(ctx);
    expect((await postComment(id, [ours.id])).data.code).toBe('attachment.not_usable');
    expect((await submit([ours.id])).data.code).toBe('attachment.not_usable');
    expect((await reply(id, [ours.id], false, ctx)).status).toBe(201);
  }
  expect((await postComment(id, [theirs.id])).status).toBe(201);
});

it('an incomplete, foreign or expired file cannot be attached', async () => {
  const { data } = await announce({ file_name: 'a.png', size: 5 });
  expect((await submit([data.attachment_id])).data.code).toBe('attachment.not_usable');
  const file = await tickets.aFile(customer());
  expect((await submit([file.id], asCustomer(otherOrganization.id))).data.code).toBe('attachment.not_usable');
  expect((await submit(Array.from({ length: 21 }, newId))).data.errors?.[0]?.path).toBe('attachment_ids');
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - 24.1 * 3_600_000).toISOString() })
      .where('id', '=', file.id)
      .execute(),
  );
  expect((await submit([file.id])).data.code).toBe('attachment.not_usable');
});

it('an unused file is removed with its bytes', async () => {
  const [kept, unused] = [await tickets.aFile(customer()), await tickets.aFile(customer())];
  await submit([kept.id]);
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
      .where('id', 'in', [kept.id, unused.id])
      .execute(),
  );
  await eventually(async () => expect(await row(unused.id)).toBeUndefined());
  const onDisk = await readdir(join(tickets.filesDirectory, organization.id));
  expect([onDisk.includes(kept.id), onDisk.includes(unused.id)]).toEqual([true, false]);
});

it('the customers of an organization together have at most 500 unused files, even for concurrent announcements', async () => {
  const busy = await tickets.anOrganization();
  const rows = Array.from({ length: 495 }, (_, i) => ({
    organization_id: busy.id,
    id: newId(),
    file_name: `${i}.png`,
    size: 1,
    content_type: 'image/png',
    user_id: null,
    from_customer: true,
    ticket_id: null,
    comment_id: null,
    upload_started_at: null,
    created_at: new Date().toISOString(),
  }));
  await tickets.db.forTenant({ organization_id: busy.id }, (tx) => tx.insertInto('attachments').values(rows).execute());
  const ask = () => announce({ file_name: 'a.png', size: 1 }, asCustomer(busy.id));
  const answers = await Promise.all(Array.from({ length: 12 }, ask));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(answers.filter(({ data }) => data.code === 'attachment.refused')).toHaveLength(7);
  // Customers' files do not count toward the limits of staff or of other organizations.
  expect((await tickets.aFile(asStaff(busy))).file_name).toBe('fire.txt');
  expect((await tickets.aFile(asToken(busy, 'tickets:write'))).file_name).toBe('fire.txt');
  expect((await announce({ file_name: 'a.png', size: 1 })).status).toBe(201);
});

it.each([
  [{ file_name: 'setup.exe', size: 10 }, 'attachment.refused', 'file_name'],
  [{ file_name: 'invoice.DOCM', size: 10 }, 'attachment.refused', 'file_name'],
  [{ file_name: 'file.txt:evil.exe', size: 10 }, 'attachment.refused', 'file_name'],
  [{ file_name: '../', size: 10 }, 'attachment.refused', 'file_name'],
  [{ file_name: ' ', size: 10 }, 'request.invalid', 'file_name'],
  [{ file_name: 'a.png', size: 0 }, 'request.invalid', 'size'],
  [{ file_name: 'a.png', size: 1, from_customer: false }, 'request.invalid', 'from_customer'],
])('rejects %j and writes nothing', async (body, code, path) => {
  const count = () =>
    tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('attachments').select('id').execute());
  const before = await count();
  const { status, data } = await announce(body);
  expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, code, path]);
  expect(await count()).toEqual(before);
});

describe('the download URL', () => {
  let ticket: PublicTicket;
  let described: Attachment;
  beforeAll(async () => {
    described = await tickets.aFile(customer());
    ticket = (await submit([described.id])).data;
  });
  it('is created for files of the description and of public comments of staff and customers', async () => {
    const [theirs, ours] = [await tickets.aFile(customer()), await tickets.aFile(asStaff(organization))];
    await postComment(ticket.id, [theirs.id]);
    await reply(ticket.id, [ours.id]);
    for (const { id } of [described, theirs, ours]) expect((await link(ticket.id, id)).status).toBe(200);
  });
  it('is refused for files of notes, of the customer’s other tickets, and for unused and unknown files', async () => {
    const [noted, unused] = [await tickets.aFile(asStaff(organization)), await tickets.aFile(customer())];
    await reply(ticket.id, [noted.id], true);
    const other = (await submit([])).data;
    const answers = [
      await link(ticket.id, noted.id),
      await link(other.id, described.id),
      await link(ticket.id, unused.id),
      await link(ticket.id, newId()),
    ];
    for (const { status, data } of answers) expect([status, data.code, data]).toEqual([404, 'attachment.not_found', answers[0]?.data]);
  });
  it('is refused to other customers with the error of an unknown ticket', async () => {
    const answers = [
      await link(newId(), described.id),
      await link(ticket.id, described.id, 'eve@example.com'),
      await link(ticket.id, newId(), 'eve@example.com'),
      await link(ticket.id, described.id, email, asCustomer(otherOrganization.id)),
    ];
    for (const { status, data } of answers) expect([status, data]).toEqual([404, answers[0]?.data]);
    expect(answers[0]?.data.code).toBe('ticket.not_found');
    expect((await link(ticket.id, described.id, '')).data.errors?.[0]?.path).toBe('email');
  });
  it('works through the target ticket after a merge', async () => {
    const file = await tickets.aFile(customer());
    const source = (await submit([file.id])).data;
    const target = (await submit([])).data;
    await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
    // Without a description there is no comment to attach the file to, so it becomes a file of the target ticket itself.
    expect([(await link(source.id, file.id)).status, (await link(target.id, file.id)).status]).toEqual([404, 200]);
  });
});
