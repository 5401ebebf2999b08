import { Controller } from '@nestjs/common';
import {
  addPublicComment,
  AppError,
  lookupTickets,
  readPublicTicket,
  submitTicket,
  ticketLookupRequested,
  type AddedPublicComment,
  type Context,
  type InputOf,
  type OutputOf,
  type PublicTicket,
  type Ticket,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { findPublicComments } from '../comment/comment.store';
import type { TicketsSchema, TicketsTx } from '../schema';
import { openTicket } from '../ticket/ticket.service';
import { findMergedInto, findTicketById, findTicketForUpdate, findTicketsOfCustomer } from '../ticket/ticket.store';
import { takeCustomersWords, writingOf } from './customer-words';
import { portalView, publicComment } from './portal';
import { findFollowUp } from './portal.store';

const lookupAnswer = { message: 'If that address has tickets here, we have just sent the links.', ticket: null };
/** Longer than a look-up with its commit takes, so that the answer's time tells as little as its text. */
const lookupMs = 150;

/** What a customer does: no account, the ticket's id and the e-mail together are the key (`product-decisions.md`, "Access"). */
@Controller()
export class PortalService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(submitTicket)
  async submit(ctx: Context, { body }: InputOf<typeof submitTicket>): Promise<PublicTicket> {
    const { website: _, ...input } = body;
    return portalView(await openTicket(this.db, asCustomer(ctx), { ...input, tags: [] }), [], { ...alone, writing: 'comment' });
  }

  @Handles(readPublicTicket)
  read(ctx: Context, { params, query }: InputOf<typeof readPublicTicket>): Promise<PublicTicket> {
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = ofCustomer(await findTicketById(tx, params.id), query.email);
      const writing = writingOf(ticket, await findFollowUp(tx, ticket.organization_id));
      const more = { ...alone, merged_into: await leadOn(tx, ticket), writing };
      return portalView(ticket, await findPublicComments(tx, ticket.id), more);
    });
  }

  @Handles(addPublicComment)
  comment(ctx: Context, { params, body }: InputOf<typeof addPublicComment>): Promise<AddedPublicComment> {
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = ofCustomer(await findTicketForUpdate(tx, params.id), body.email);
      const written = await takeCustomersWords(tx, asCustomer(ctx), ticket, { ...body, channel: 'portal' });
      if (written.comment === null)
        return { comment: null, new_ticket: { id: written.ticket.id, ticket_number: written.ticket.ticket_number } };
      return { comment: publicComment(written.comment, ticket.customer_name), new_ticket: null };
    });
  }

  @Handles(lookupTickets)
  async lookup(ctx: Context, { body }: InputOf<typeof lookupTickets>): Promise<OutputOf<typeof lookupTickets>> {
    await Promise.all([this.requestLinks(asCustomer(ctx), body.email, body.ticket_number?.toUpperCase()), pause(lookupMs)]);
    return lookupAnswer;
  }

  /** The subject is the organization: a look-up is about no single ticket, and an address does not belong into a subject. */
  private requestLinks(ctx: Context, email: string, ticket_number: string | undefined): Promise<void> {
    return this.db.forTenant(ctx, async (tx) => {
      const tickets = await findTicketsOfCustomer(tx, email, ticket_number || undefined, 20);
      if (tickets.length > 0) await emit(tx, ctx, ticketLookupRequested, ctx.organization_id!, { email, tickets });
    });
  }
}

/** A ticket without files, earlier comments or others beside it. */
const alone = { merged_into: null, follow_up_of: null, attachments: [], earlier_cursor: null };

/** Whoever sits at the portal acts as the customer, a signed-in member of staff too. */
const asCustomer = (ctx: Context): Context => ({ ...ctx, actor: { type: 'customer' } });

/** Unknown id, wrong e-mail, another organization's ticket (which row-level security hides): one answer. */
function ofCustomer<T extends Pick<Ticket, 'customer_email'>>(ticket: T | undefined, email: string): T {
  if (ticket?.customer_email === email) return ticket;
  throw new AppError('ticket.not_found', { detail: 'No ticket found with that email address for this organization.' });
}

/** The ticket in which the conversation of a merged one goes on, as long as it is still the same customer's. */
async function leadOn(tx: TicketsTx, ticket: Ticket): Promise<PublicTicket['merged_into']> {
  const into = ticket.merged_into_id === null ? undefined : await findMergedInto(tx, ticket.merged_into_id);
  return into?.customer_email === ticket.customer_email ? { id: into.id, ticket_number: into.ticket_number } : null;
}
