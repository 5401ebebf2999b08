import { systemContext, type CustomerFollowUp, type Ticket } from '@tandem/contracts';
import { organizationOf } from '@tandem/testing';
import { sql } from 'kysely';
import { MailInUnderTest } from '../../test/mail-in';
import type { TestOrganization } from '../../test/tickets';
import { saveOrganization } from '../projection/identity-projection.store';
import { changeTicket } from '../ticket/ticket.service';

let mailIn: MailInUnderTest;
let organization: TestOrganization;
beforeAll(async () => (mailIn = await MailInUnderTest.start()));
beforeEach(async () => (organization = await mailIn.tickets.anOrganization()));
afterAll(() => mailIn?.tickets.close());

const ctx = () => systemContext(organization.id, 'test');
const change = (ticket: Ticket, patch: Parameters<typeof changeTicket>[3]) =>
  mailIn.tickets.db.forTenant(ctx(), (tx) => changeTicket(tx, ctx(), ticket.id, patch));
const allow = (customer_follow_up: CustomerFollowUp) =>
  mailIn.tickets.db.forTenant(ctx(), (tx) => saveOrganization(tx, organizationOf(organization.id, { customer_follow_up }), 2));
const eventsOf = async (ticket_id: string) => (await mailIn.tickets.events(ticket_id)).map(({ type, actor }) => `${type} by ${actor.type}`);

describe('an email to the address of an organization', () => {
  it('is refused if its sender has opened five tickets within an hour', async () => {
    for (let i = 0; i < 5; i++) expect(await mailIn.become(organization, { subject: `No. ${i}` })).toMatchObject({ outcome: 'ticket' });
    const sixth = await mailIn.become(organization, { subject: 'No. 6' });
    expect(sixth).toMatchObject({ outcome: 'refused', reason: 'too_many', raw: null });
    // Addresses with a +tag or different case belong to the same mailbox.
    expect(await mailIn.become(organization, { from: 'Carla+7@Example.com' })).toMatchObject({
      outcome: 'refused',
      reason: 'too_many',
      from_address: 'carla+7@example.com',
      sender_mailbox: 'carla@example.com',
    });
    expect(await mailIn.become(organization, { from: 'otto@example.com' })).toMatchObject({ outcome: 'ticket' });
    const [first] = await mailIn.ticketsOf(organization);
    expect(await mailIn.become(organization, { to: mailIn.reply(organization, first!.id) })).toMatchObject({ outcome: 'comment' });
  });
  it('gets no confirmation if its sender suppresses replies, or after 60 confirmations within ten minutes', async () => {
    const isQuiet = async (mail: Parameters<typeof mailIn.become>[1]) => {
      const { ticket_id } = await mailIn.become(organization, mail);
      const opened = (await mailIn.tickets.events(ticket_id!)).find(({ type }) => type === 'ticket.created');
      return (opened!.data as { quiet?: boolean }).quiet;
    };
    expect(await isQuiet({ headers: { 'x-auto-response-suppress': 'All' } })).toBe(true);
    expect(await isQuiet({ from: 'otto@example.com' })).toBeUndefined();
    const opened = async (number: number, ago: string) =>
      mailIn.tickets.db.forTenant(ctx(), (tx) =>
        sql`insert into inbound_mails (organization_id, id, to_address, envelope_from, size, digest, outcome, received_at)
          select ${organization.id}::uuid, gen_random_uuid(), 'x', '', 1, ${ago} || n, 'ticket', now() - ${ago}::interval
          from generate_series(1, ${number}::integer) n`.execute(tx),
      );
    await opened(60, '11 minutes');
    await opened(57, '9 minutes');
    expect(await isQuiet({ from: 'otto@example.com' })).toBeUndefined();
    expect(await isQuiet({ from: 'otto@example.com' })).toBe(true);
    await allow('new_ticket');
    const done = await change(await mailIn.tickets.aTicket(organization), { status: 'resolved' });
    expect(await isQuiet({ to: mailIn.reply(organization, done.id) })).toBe(true);
  });
});

describe('an email that matches its ticket by number only', () => {
  it('becomes a comment, but neither it nor its replies are part of the email thread', async () => {
    const ticket = await mailIn.tickets.aTicket(organization);
    const forged = await mailIn.become(organization, { subject: `Pay here [${ticket.ticket_number}]` });
    const second = await mailIn.become(organization, { subject: 'Pay there', inReplyTo: forged.message_id! });
    expect(second).toMatchObject({ outcome: 'comment', ticket_id: ticket.id, reason: 'number_alone' });
    const stranger = await mailIn.become(organization, { from: 'otto@example.com', inReplyTo: second.message_id! });
    expect(stranger).toMatchObject({ outcome: 'ticket' });
    expect(await eventsOf(ticket.id)).not.toContain('mail.received by customer');
    expect(await mailIn.become(organization, { to: mailIn.reply(organization, ticket.id) })).toMatchObject({
      outcome: 'comment',
      reason: null,
    });
    expect(await eventsOf(ticket.id)).toContain('mail.received by customer');
  });
});
