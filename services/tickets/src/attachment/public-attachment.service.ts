import { Controller } from '@nestjs/common';
import {
  announcePublicAttachment,
  AppError,
  linkPublicAttachment,
  type InputOf,
  type OutputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { asCustomer, assertCustomerOwns } from '../portal/customer';
import type { TicketsSchema } from '../schema';
import { findTicketById } from '../ticket/ticket.store';
import { announceFile } from './attachment.service';
import { isPublicFile } from './attachment.store';
import { FileTokens } from './file-token';

/**
 * Attachments of customers, who have no account: anyone who has the id of an announced file may attach it; reading one requires access to
 * its ticket.
 */
@Controller()
export class PublicAttachmentService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly tokens: FileTokens,
  ) {}

  @Handles(announcePublicAttachment)
  async announce(
    ctx: TenantContext,
    { body }: InputOf<typeof announcePublicAttachment>,
  ): Promise<OutputOf<typeof announcePublicAttachment>> {
    const file = await this.db.forTenant(ctx, (tx) => announceFile(tx, asCustomer(ctx), body));
    const { url, expires_at } = this.tokens.link({ ...file, for: 'upload' });
    return { attachment_id: file.attachment_id, upload_url: url, expires_at };
  }

  @Handles(linkPublicAttachment)
  async link(ctx: TenantContext, { params, body }: InputOf<typeof linkPublicAttachment>): Promise<OutputOf<typeof linkPublicAttachment>> {
    const file = { organization_id: ctx.organization_id, attachment_id: params.attachmentId };
    await this.db.forTenant(ctx, async (tx) => {
      const ticket = assertCustomerOwns(await findTicketById(tx, params.id), body.email);
      if (!(await isPublicFile(tx, file.organization_id, ticket.id, file.attachment_id))) throw new AppError('attachment.not_found');
    });
    return this.tokens.link({ ...file, for: 'download' });
  }
}
