import { systemContext, type CustomerFollowUp, type Ticket } from '@tandem/contracts';
import { organizationOf } from '@tandem/testing';
import { sql } from 'kysely';
import { MailHouse } from '../../test/mail-house';
import type { TestOrganization } from '../../test/tickets';
import { saveOrganization } from '../projection/identity-projection.store';
import { changeTicket } from '../ticket/ticket.service';

let house: MailHouse;
let place: TestOrganization;
beforeAll(async () => (house = await MailHouse.start()));
beforeEach(async () => (place = await house.tickets.anOrganization()));
afterAll(() => house?.tickets.close());

const ctx = () => systemContext(place.id, 'test');
const change = (ticket: Ticket, patch: Parameters<typeof changeTicket>[3]) =>
  house.tickets.db.forTenant(ctx(), (tx) => changeTicket(tx, ctx(), ticket.id, patch));
const allow = (customer_follow_up: CustomerFollowUp) =>
  house.tickets.db.forTenant(ctx(), (tx) => saveOrganization(tx, organizationOf(place.id, { customer_follow_up }), 2));
const eventsOf = async (ticket_id: string) => (await house.tickets.events(ticket_id)).map(({ type, actor }) => `${type} by ${actor.type}`);

describe('a mail to the address of an organization', () => {
  it('is refused when its sender opens too many: five in an hour', async () => {
    for (let i = 0; i < 5; i++) expect(await house.become(place, { subject: `No. ${i}` })).toMatchObject({ outcome: 'ticket' });
    const sixth = await house.become(place, { subject: 'No. 6' });
    expect(sixth).toMatchObject({ outcome: 'refused', reason: 'too_many', raw: null });
    // A +tag and different case are the same mailbox.
    expect(await house.become(place, { from: 'Carla+7@Example.com' })).toMatchObject({
      ...{ outcome: 'refused', reason: 'too_many', from_address: 'carla+7@example.com', sender_mailbox: 'carla@example.com' },
    });
    expect(await house.become(place, { from: 'otto@example.com' })).toMatchObject({ outcome: 'ticket' });
    const [first] = await house.ticketsOf(place);
    expect(await house.become(place, { to: house.reply(place, first!.id) })).toMatchObject({ outcome: 'comment' });
  });
  it('is a ticket without a confirmation where its sender wants no answer, and from the 61st within ten minutes', async () => {
    const isQuiet = async (mail: Parameters<typeof house.become>[1]) => {
      const { ticket_id } = await house.become(place, mail);
      const opened = (await house.tickets.events(ticket_id!)).find(({ type }) => type === 'ticket.created');
      return (opened!.data as { quiet?: boolean }).quiet;
    };
    expect(await isQuiet({ headers: { 'x-auto-response-suppress': 'All' } })).toBe(true);
    expect(await isQuiet({ from: 'otto@example.com' })).toBeUndefined();
    const opened = async (number: number, ago: string) =>
      house.tickets.db.forTenant(ctx(), (tx) =>
        sql`insert into inbound_mails (organization_id, id, to_address, envelope_from, size, digest, outcome, received_at)
          select ${place.id}::uuid, gen_random_uuid(), 'x', '', 1, ${ago} || n, 'ticket', now() - ${ago}::interval
          from generate_series(1, ${number}::integer) n`.execute(tx),
      );
    await opened(60, '11 minutes');
    await opened(57, '9 minutes');
    expect(await isQuiet({ from: 'otto@example.com' })).toBeUndefined();
    expect(await isQuiet({ from: 'otto@example.com' })).toBe(true);
    await allow('new_ticket');
    const done = await change(await house.tickets.aTicket(place), { status: 'resolved' });
    expect(await isQuiet({ to: house.reply(place, done.id) })).toBe(true);
  });
});

describe('a mail whose From may be forged, on the ticket of that customer', () => {
  it('is on it by the number alone, and nothing of it gets into later mails: not then, and not by what answers it', async () => {
    const ticket = await house.tickets.aTicket(place);
    const forged = await house.become(place, { subject: `Pay here [${ticket.ticket_number}]` });
    const second = await house.become(place, { subject: 'Pay there', inReplyTo: forged.message_id! });
    expect(second).toMatchObject({ outcome: 'comment', ticket_id: ticket.id, reason: 'number_alone' });
    const stranger = await house.become(place, { from: 'otto@example.com', inReplyTo: second.message_id! });
    expect(stranger).toMatchObject({ outcome: 'ticket' });
    expect(await eventsOf(ticket.id)).not.toContain('mail.received by customer');
    expect(await house.become(place, { to: house.reply(place, ticket.id) })).toMatchObject({ outcome: 'comment', reason: null });
    expect(await eventsOf(ticket.id)).toContain('mail.received by customer');
  });
});
