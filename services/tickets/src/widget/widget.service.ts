import { Controller } from '@nestjs/common';
import {
  addWidgetComment,
  AppError,
  readWidgetTicket,
  submitWidgetTicket,
  type AddedPublicComment,
  type Context,
  type InputOf,
  type PublicTicket,
  type SubmitWidgetTicket,
  type Ticket,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles, storeResponse } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { asCustomer } from '../portal/customer';
import { newPublicTicket, readAsCustomer, writeAsCustomer } from '../portal/public-ticket';
import type { TicketsSchema } from '../schema';
import { openTicket } from '../ticket/ticket.service';
import { identityInvalid, readIdentityToken } from './widget-identity';
import { findWidget } from './widget.store';

/** Ticket operations for the visitors of a website with the widget. Same rules as the portal, but the website can identify its visitor. */
@Controller()
export class WidgetService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly secrets: Secrets,
  ) {}

  @Handles(submitWidgetTicket)
  async submit(ctx: TenantContext, { body }: InputOf<typeof submitWidgetTicket>): Promise<PublicTicket> {
    const { subject, description, language, custom_fields } = body;
    const input = { subject, description, language, custom_fields, form: 'widget' as const, ...(await this.#customerOf(ctx, body)) };
    return openTicket(this.db, asCustomer(ctx), { ...input, channel: 'widget' }, async (tx, ticket) =>
      storeResponse(tx, await newPublicTicket(tx, ticket)),
    );
  }

  @Handles(readWidgetTicket)
  read(ctx: Context, { params, query }: InputOf<typeof readWidgetTicket>): Promise<PublicTicket> {
    return this.db.forTenant(ctx, (tx) => readAsCustomer(tx, params.id, query.email));
  }

  @Handles(addWidgetComment)
  comment(ctx: Context, { params, body: { email, content } }: InputOf<typeof addWidgetComment>): Promise<AddedPublicComment> {
    return this.db.forTenant(ctx, async (tx) =>
      storeResponse(tx, await writeAsCustomer(tx, ctx, params.id, email, { content, channel: 'widget' })),
    );
  }

  /** Identity from the website's token if there is one, else from the visitor, unless the organization requires a token. */
  async #customerOf(
    ctx: TenantContext,
    { identity_token, customer_email, customer_name }: SubmitWidgetTicket,
  ): Promise<Pick<Ticket, 'customer_email' | 'customer_name' | 'customer_verified'>> {
    const widget = await this.db.forTenant(ctx, (tx) => findWidget(tx, ctx.organization_id));
    if (identity_token === undefined) {
      if (widget?.identity_required) throw new AppError('widget.identity_required');
      if (customer_email === undefined) throw emailMissing();
      return { customer_email, customer_name, customer_verified: false };
    }
    if (!widget?.sealed_secret) throw identityInvalid();
    const visitor = await readIdentityToken(identity_token, this.secrets.open('widget-identity', widget.sealed_secret));
    if (customer_email !== undefined && customer_email !== visitor.customer_email) throw identityInvalid();
    return { ...visitor, customer_name: visitor.customer_name ?? customer_name, customer_verified: true };
  }
}

const emailMissing = () =>
  new AppError('request.invalid', {
    fields: [{ path: 'customer_email', code: 'required', message: 'Subject and email are required fields.' }],
  });
