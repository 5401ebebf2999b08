import { Controller } from '@nestjs/common';
import {
  addPublicComment,
  AppError,
  customerMayComment,
  lookupTickets,
  readPublicTicket,
  submitTicket,
  ticketLookupRequested,
  type Context,
  type InputOf,
  type PublicComment,
  type PublicTicket,
  type Ticket,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { findPublicComments } from '../comment/comment.store';
import { writeComment } from '../comment/comment.service';
import type { TicketsSchema, TicketsTx } from '../schema';
import { statusAfterCustomerComment } from '../ticket/ticket';
import { openTicket } from '../ticket/ticket.service';
import { findMergedInto, findTicketById, findTicketForUpdate, findTicketsOfCustomer } from '../ticket/ticket.store';
import { portalView, publicComment } from './portal';

const lookupAnswer = { message: 'If that address has tickets here, we have just sent the links.' };
/** Longer than a look-up with its commit takes, so that the answer's time tells as little as its text. */
const lookupMs = 150;

/** What a customer does: no account, the ticket's id and the e-mail together are the key (`product-decisions.md`, "Access"). */
@Controller()
export class PortalService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(submitTicket)
  async submit(ctx: Context, { body }: InputOf<typeof submitTicket>): Promise<PublicTicket> {
    return portalView(await openTicket(this.db, asCustomer(ctx), { ...body, tags: [], attachment_ids: [] }), []);
  }

  @Handles(readPublicTicket)
  read(ctx: Context, { params, query }: InputOf<typeof readPublicTicket>): Promise<PublicTicket> {
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = ofCustomer(await findTicketById(tx, params.id), query.email);
      return portalView(ticket, await findPublicComments(tx, ticket.id), await leadOn(tx, ticket));
    });
  }

  @Handles(addPublicComment)
  comment(ctx: Context, { params, body }: InputOf<typeof addPublicComment>): Promise<PublicComment> {
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = ofCustomer(await findTicketForUpdate(tx, params.id), body.email);
      if (!customerMayComment(ticket.status)) throw new AppError('ticket.locked');
      const written = await writeComment(
        tx,
        asCustomer(ctx),
        ticket,
        {
          content: body.content,
          is_internal: false,
          author: { customer_email: body.email },
          changes: { status: statusAfterCustomerComment(ticket.status) },
        },
        new Date().toISOString(),
      );
      return publicComment(written.comment, ticket.customer_name);
    });
  }

  @Handles(lookupTickets)
  async lookup(ctx: Context, { body }: InputOf<typeof lookupTickets>): Promise<{ message: string }> {
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
