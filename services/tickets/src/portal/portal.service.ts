import { Controller } from '@nestjs/common';
import {
  addPublicComment,
  listPublicComments,
  lookupTickets,
  readPublicTicket,
  submitTicket,
  ticketLookupRequested,
  type AddedPublicComment,
  type Context,
  type InputOf,
  type OutputOf,
  type Page,
  type PublicComment,
  type PublicTicket,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { countPublicComments, findPublicComments } from '../comment/comment.store';
import type { TicketsSchema } from '../schema';
import { openTicket } from '../ticket/ticket.service';
import { findTicketById, findTicketsOfCustomer } from '../ticket/ticket.store';
import { asCustomer, assertCustomerOwns } from './customer';
import { publicComment } from './portal';
import { hasInstantLookup } from './portal.store';
import { newPublicTicket, readAsCustomer, writeAsCustomer } from './public-ticket';

const lookupMessage = 'If that address has tickets here, we have just sent the links.';
/** Minimum time of a lookup, longer than its query and commit, so that the response time does not reveal whether there are tickets. */
const lookupMs = 150;
/** Maximum count of comments: counting all of a long conversation would cost each page more than the page itself. */
const countedComments = 1_000;

/** Customer operations. Customers have no account: the ticket id and the email address together grant access. */
@Controller()
export class PortalService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(submitTicket)
  submit(ctx: Context, { body }: InputOf<typeof submitTicket>): Promise<PublicTicket> {
    const { website: _, ...input } = body;
    return openTicket(this.db, asCustomer(ctx), { ...input, form: 'portal' }, async (tx, ticket) =>
      storeResponse(tx, await newPublicTicket(tx, ticket)),
    );
  }

  @Handles(readPublicTicket)
  read(ctx: TenantContext, { params, query }: InputOf<typeof readPublicTicket>): Promise<PublicTicket> {
    return this.db.forTenant(ctx, (tx) => readAsCustomer(tx, params.id, query.email));
  }

  @Handles(listPublicComments)
  list(ctx: TenantContext, { params, query }: InputOf<typeof listPublicComments>): Promise<Page<PublicComment>> {
    const { email, ...page } = query;
    return this.db.forTenant(ctx, async (tx) => {
      const ticket = assertCustomerOwns(await findTicketById(tx, params.id), email);
      const total = await countPublicComments(tx, ticket.id, countedComments);
      const { items, pagination } = await findPublicComments(tx, ticket.id, page, total);
      const capped = pagination.total > countedComments ? { total: countedComments, total_is_capped: true } : {};
      return { items: items.map((comment) => publicComment(comment, ticket.customer_name)), pagination: { ...pagination, ...capped } };
    });
  }

  @Handles(addPublicComment)
  comment(ctx: TenantContext, { params, body }: InputOf<typeof addPublicComment>): Promise<AddedPublicComment> {
    const { email, ...words } = body;
    return this.db.forTenant(ctx, async (tx) =>
      storeResponse(tx, await writeAsCustomer(tx, ctx, params.id, email, { ...words, channel: 'portal' })),
    );
  }

  @Handles(lookupTickets)
  async lookup(ctx: TenantContext, { body }: InputOf<typeof lookupTickets>): Promise<OutputOf<typeof lookupTickets>> {
    const number = body.ticket_number?.toUpperCase() || undefined;
    const [ticket] = await Promise.all([this.requestLinks(asCustomer(ctx), body, number), pause(lookupMs)]);
    return { message: lookupMessage, ticket };
  }

  /**
   * Returns the ticket to open directly if the number matched and `instant_lookup` is on (docs/product-rules.md#portal-lookup). The event's
   * subject is the organization, because a lookup concerns no single ticket and a subject must not contain an address.
   */
  private requestLinks(
    ctx: TenantContext,
    { email, language }: InputOf<typeof lookupTickets>['body'],
    ticket_number: string | undefined,
  ): Promise<{ id: string } | null> {
    return this.db.forTenant(ctx, async (tx) => {
      const tickets = await findTicketsOfCustomer(tx, email, ticket_number, 20);
      const isInstant = await hasInstantLookup(tx, ctx.organization_id);
      if (tickets.length > 0)
        await emit(tx, ctx, ticketLookupRequested, ctx.organization_id, { email, tickets, language: language ?? null });
      const [named] = ticket_number === undefined ? [] : tickets;
      return isInstant && named ? { id: named.id } : null;
    });
  }
}
