import {
  addComment,
  addPublicComment,
  listTickets,
  lookupTickets,
  readPublicTicket,
  submitTicket,
  updateTicket,
  type AddedPublicComment,
  type PublicTicket,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const email = 'carla@example.com';
const submit = (body: unknown, ctx = asCustomer(organization.id)) => tickets.call<PublicTicket>(submitTicket, ctx, { body });
const read = (id: string, address = email, ctx = asCustomer(organization.id)) =>
  tickets.call<PublicTicket>(readPublicTicket, ctx, { params: { id }, query: { email: address } });
const comment = (id: string, body: unknown, ctx = asCustomer(organization.id)) =>
  tickets.call<AddedPublicComment>(addPublicComment, ctx, { params: { id }, body });

describe('submit', () => {
  it('opens a ticket that the customer can read, with the customer as actor', async () => {
    const { status, data } = await submit({
      subject: ' Help ',
      customer_email: ' CARLA@example.com',
      customer_name: 'Carla',
      priority: 'high',
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({ subject: 'Help', customer_email: email, status: 'open', priority: 'high', comments: [] });
    expect((await read(data.id)).data).toEqual(data);
    const [event] = await tickets.events(data.id);
    expect(event).toMatchObject({ type: 'ticket.created', actor: { type: 'customer' }, organization_id: organization.id });
  });
  it('treats staff on the portal as customers', async () => {
    const { data } = await submit({ subject: 'Trying it out', customer_email: email }, asStaff(organization));
    expect((await tickets.events(data.id))[0]?.actor).toEqual({ type: 'customer' });
  });
  it.each([
    [{ subject: 'S' }, 'customer_email'],
    [{ customer_email: email }, 'subject'],
    [{ subject: 'S', customer_email: email, tags: ['vip'] }, 'tags'],
    [{ subject: 'S', customer_email: email, status: 'closed' }, 'status'],
    [{ subject: 'S', customer_email: email, assigned_to: newId() }, 'assigned_to'],
    [{ subject: 'S', customer_email: email, organization_id: newId() }, 'organization_id'],
    [{ subject: 'S', customer_email: { $ne: null } }, 'customer_email'],
  ])('rejects %j and writes nothing', async (body, path) => {
    const total = async () => (await tickets.call(listTickets, asStaff(organization))).pagination.total;
    const before = await total();
    const { status, data } = await submit(body);
    expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
    expect(await total()).toBe(before);
  });
  it('stores the language of the form, which a follow-up keeps', async () => {
    const { data } = await submit({ subject: 'S', customer_email: email, language: 'ar' });
    expect(data.language).toBe('ar');
    expect((await read(data.id)).data.language).toBe('ar');
    expect((await submit({ subject: 'S', customer_email: email })).data.language).toBeNull();
    const [event] = await tickets.events(data.id);
    expect(event?.data).toMatchObject({ ticket: { language: 'ar' } });
    await tickets.changeSettings(organization, { customer_follow_up: 'new_ticket' });
    await tickets.call(updateTicket, asStaff(organization), { params: { id: data.id }, body: { status: 'resolved' } });
    const followUp = (await comment(data.id, { email, content: 'Again' })).data.new_ticket!;
    await tickets.changeSettings(organization, { customer_follow_up: 'locked' });
    expect((await read(followUp.id)).data.language).toBe('ar');
  });
  it('requires an organization and a signed context', async () => {
    const body = { subject: 'S', customer_email: email };
    expect((await submit(body, asCustomer(null))).status).toBeGreaterThanOrEqual(400);
    expect((await tickets.call(submitTicket, undefined, { body })).status).toBe(401);
  });
});

describe('read', () => {
  it('returns public comments and no internal notes', async () => {
    const { id } = await tickets.aTicket(organization);
    await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Between us', is_internal: true } });
    await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Hello' } });
    await comment(id, { email, content: 'Hi' });
    const { status, data } = await read(id);
    expect(status).toBe(200);
    expect(data.comments.map(({ content, author_name, is_from_customer }) => [content, author_name, is_from_customer])).toEqual([
      ['Hello', 'Ada agent', false],
      ['Hi', 'Carla', true],
    ]);
    expect(JSON.stringify(data)).not.toMatch(/Between us|assigned_to|user_id|acme\.test/);
  });
  it('ignores case and surrounding spaces in the address', async () => {
    const { id } = await tickets.aTicket(organization);
    expect((await read(id, ' Carla@EXAMPLE.com ')).status).toBe(200);
  });
  it('returns the same error for an unknown ID, a wrong address and another organization', async () => {
    const { id } = await tickets.aTicket(organization);
    const answers = [await read(newId()), await read(id, 'eve@example.com'), await read(id, email, asCustomer(otherOrganization.id))];
    for (const { status, data } of answers) {
      expect(status).toBe(404);
      expect(data).toEqual(answers[0]?.data);
      expect(data).toMatchObject({ code: 'ticket.not_found', detail: 'No ticket found with that email address for this organization.' });
    }
  });
  it('requires the address', async () => {
    const { id } = await tickets.aTicket(organization);
    const { status, data } = await tickets.call(readPublicTicket, asCustomer(organization.id), { params: { id } });
    expect([status, data.errors?.[0]?.path]).toEqual([422, 'email']);
    expect((await read(id, '')).data.errors?.[0]?.message).toBe('Please enter your email address to view the ticket.');
    expect((await read(id, '%')).status).toBe(422);
  });
});

describe('comment', () => {
  it('adds the comment with the customer as author and actor', async () => {
    const { id } = await tickets.aTicket(organization);
    const { status, data } = await comment(id, { email, content: ' Still burning ' });
    expect([status, data]).toEqual([
      201,
      {
        comment: {
          id: data.comment?.id,
          content: 'Still burning',
          is_from_customer: true,
          author_name: 'Carla',
          attachments: [],
          created_at: data.comment?.created_at,
        },
        new_ticket: null,
      },
    ]);
    const [, event, ...more] = await tickets.events(id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'ticket.comment.added',
      actor: { type: 'customer' },
      data: { comment: { customer_email: email, user_id: null, is_internal: false }, ticket: { comment_count: 1 } },
    });
  });
  it('changes a ticket that waits for the customer to open, and emits both events', async () => {
    const { id } = await tickets.aTicket(organization);
    await tickets.call(updateTicket, asStaff(organization), { params: { id }, body: { status: 'waiting_for_customer' } });
    await comment(id, { email, content: 'Here it is' });
    const [, , added, updated] = await tickets.events(id);
    expect([added?.type, updated?.type]).toEqual(['ticket.comment.added', 'ticket.updated']);
    expect(updated?.data['changes']).toEqual({ status: { from: 'waiting_for_customer', to: 'open' } });
    expect((await read(id)).data.status).toBe('open');
  });
  it.each(['resolved', 'closed'])('is rejected when the ticket is %s', async (status) => {
    const { id } = await tickets.aTicket(organization);
    await tickets.call(updateTicket, asStaff(organization), { params: { id }, body: { status } });
    const events = await tickets.eventTypes(id);
    const answer = await comment(id, { email, content: 'One more thing' });
    expect([answer.status, answer.data.code]).toEqual([423, 'ticket.locked']);
    expect((await read(id)).data.comments).toEqual([]);
    expect(await tickets.eventTypes(id)).toEqual(events);
  });
  it('returns the same error for an unknown ID, a wrong address, another organization and another customer’s locked ticket', async () => {
    const { id } = await tickets.aTicket(organization);
    const locked = await tickets.aTicket(organization);
    await tickets.call(updateTicket, asStaff(organization), { params: { id: locked.id }, body: { status: 'closed' } });
    const answers = [
      await comment(newId(), { email, content: 'x' }),
      await comment(id, { email: 'eve@example.com', content: 'x' }),
      await comment(id, { email, content: 'x' }, asCustomer(otherOrganization.id)),
      await comment(locked.id, { email: 'eve@example.com', content: 'x' }),
    ];
    for (const { status, data } of answers) expect([status, data]).toEqual([404, answers[0]?.data]);
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created']);
  });
  it.each([{ content: 'x' }, { email }, { email, content: ' ' }, { email: '', content: 'x' }, { email, content: 'x', is_internal: true }])(
    'rejects %j',
    async (body) => {
      const { id } = await tickets.aTicket(organization);
      expect((await comment(id, body)).status).toBe(422);
      expect(await tickets.eventTypes(id)).toEqual(['ticket.created']);
    },
  );
});

describe('look-up', () => {
  const lookup = (body: unknown, ctx = asCustomer(organization.id)) => tickets.call(lookupTickets, ctx, { body });
  const requests = async (address: string) =>
    (await tickets.events()).filter(({ type, data }) => type === 'ticket.lookup_requested' && data['email'] === address);

  it('requests an email with links to all tickets of the address, newest first', async () => {
    const address = 'links@example.com';
    const made = [
      await tickets.aTicket(organization, { customer_email: address }),
      await tickets.aTicket(organization, { customer_email: address }),
    ];
    await tickets.aTicket(otherOrganization, { customer_email: address });
    const { status, data } = await lookup({ email: ' LINKS@example.com' });
    expect([status, data]).toEqual([202, { message: 'If that address has tickets here, we have just sent the links.', ticket: null }]);
    const [request, ...more] = await requests(address);
    expect(more).toEqual([]);
    expect(request).toMatchObject({ organization_id: organization.id, actor: { type: 'customer' } });
    expect(request?.data['tickets']).toEqual(
      made.reverse().map(({ id, ticket_number, subject, status: now }) => ({ id, ticket_number, subject, status: now })),
    );
  });
  it('finds one ticket by its number, ignoring case and spaces', async () => {
    const address = 'one@example.com';
    await tickets.aTicket(organization, { customer_email: address });
    const { ticket_number, id } = await tickets.aTicket(organization, { customer_email: address });
    await lookup({ email: address, ticket_number: ` ${ticket_number.toLowerCase()} ` });
    expect((await requests(address)).map(({ data }) => data['tickets'].map((ticket: { id: string }) => ticket.id))).toEqual([[id]]);
  });
  it('returns the same response after the same minimum time, and requests no email, if no ticket matches', async () => {
    const address = 'known@example.com';
    const { ticket_number } = await tickets.aTicket(organization, { customer_email: address });
    const timed = async (body: unknown) => {
      const start = performance.now();
      const { status, data } = await lookup(body);
      return { status, data, ms: performance.now() - start };
    };
    const known = await timed({ email: address });
    for (const body of [
      { email: 'unknown@example.com' },
      { email: address, ticket_number: 'ACM-9999' },
      { email: 'unknown@example.com', ticket_number },
    ]) {
      const answer = await timed(body);
      expect([answer.status, answer.data]).toEqual([known.status, known.data]);
      expect(answer.ms).toBeGreaterThanOrEqual(149);
    }
    expect(known.ms).toBeGreaterThanOrEqual(149);
    expect(await requests('unknown@example.com')).toEqual([]);
    expect(await requests(address)).toHaveLength(1);
  });
  describe('with instant lookup', () => {
    const address = 'instant@example.com';
    const message = 'If that address has tickets here, we have just sent the links.';
    let instant: TestOrganization;
    let known: Ticket;
    beforeAll(async () => {
      instant = await tickets.anOrganization();
      await tickets.changeSettings(instant, { instant_lookup: true });
      await tickets.aTicket(instant, { customer_email: address });
      known = await tickets.aTicket(instant, { customer_email: address });
    });

    it('returns the ticket whose address and number both match, and also requests the email', async () => {
      const body = { email: address, ticket_number: ` ${known.ticket_number.toLowerCase()} ` };
      const { status, data } = await lookup(body, asCustomer(instant.id));
      expect([status, data]).toEqual([202, { message, ticket: { id: known.id } }]);
      expect(await requests(address)).toHaveLength(1);
    });
    it('responds as without it, after the same minimum time, to all other requests', async () => {
      for (const body of [
        { email: address },
        { email: address, ticket_number: ' ' },
        { email: address, ticket_number: 'ACM-9999' },
        { email: 'eve@example.com', ticket_number: known.ticket_number },
        { email: 'eve@example.com' },
      ]) {
        const start = performance.now();
        const { status, data } = await lookup(body, asCustomer(instant.id));
        expect([status, data]).toEqual([202, { message, ticket: null }]);
        expect(performance.now() - start).toBeGreaterThanOrEqual(149);
      }
      expect((await lookup({ email: address, ticket_number: known.ticket_number })).data).toEqual({ message, ticket: null });
    });
  });
  it('lists at most 20 tickets', async () => {
    const address = 'many@example.com';
    for (let i = 0; i < 22; i++) await tickets.aTicket(organization, { customer_email: address });
    await lookup({ email: address });
    expect((await requests(address))[0]?.data['tickets']).toHaveLength(20);
  });
  it.each([{}, { email: 'x' }, { email, ticket_number: 'x'.repeat(21) }, { email, extra: 1 }])('rejects %j', async (body) =>
    expect((await lookup(body)).status).toBe(422),
  );
});
