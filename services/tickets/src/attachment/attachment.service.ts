import { Controller } from '@nestjs/common';
import {
  announceAttachment,
  AppError,
  attachmentRules,
  linkAttachment,
  listAttachments,
  type AnnounceAttachment,
  type Attachment,
  type Context,
  type InputOf,
  type OutputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { userIdOf } from '../caller';
import { checkDemoFiles } from '../demo/demo-quota';
import type { TicketsSchema, TicketsTx } from '../schema';
import { checkTicket } from '../ticket/ticket.service';
import { maxUnused, maxUnusedOfCustomers, attachmentRefused, safeFileName } from './attachment';
import {
  countUnused,
  findFilesOfTicket,
  findStoredFile,
  insertAttachment,
  senderOf,
  type Sender,
  type StoredFile,
} from './attachment.store';
import { FileTokens } from './file-token';

/** Attachments of tickets and comments, except for their bytes (file.controller.ts). */
@Controller()
export class AttachmentService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly tokens: FileTokens,
  ) {}

  @Handles(announceAttachment)
  async announce(ctx: TenantContext, { body }: InputOf<typeof announceAttachment>): Promise<OutputOf<typeof announceAttachment>> {
    const file = await this.db.forTenant(ctx, (tx) => announceFile(tx, ctx, body));
    const { url, expires_at } = this.tokens.link({ ...file, for: 'upload' });
    return { attachment_id: file.attachment_id, upload_url: url, expires_at };
  }

  @Handles(linkAttachment)
  async link(ctx: TenantContext, { params }: InputOf<typeof linkAttachment>): Promise<OutputOf<typeof linkAttachment>> {
    const file = await this.db.forTenant(ctx, (tx) => findStoredFile(tx, ctx.organization_id, params.id));
    if (!file || !canRead(ctx, file)) throw new AppError('attachment.not_found');
    return this.tokens.link({ organization_id: file.organization_id, attachment_id: file.id, for: 'download' });
  }

  @Handles(listAttachments)
  list(ctx: TenantContext, { params }: InputOf<typeof listAttachments>): Promise<Attachment[]> {
    const read = async (tx: TicketsTx) => {
      const [files] = await Promise.all([findFilesOfTicket(tx, ctx.organization_id, params.id), checkTicket(tx, params.id)]);
      return files;
    };
    return this.db.readTenant(ctx, read, { isPrepared: true });
  }
}

/** Creates the row of an announced file. Throws `attachment.refused` for a forbidden name or if its sender has too many unused files. */
export async function announceFile(
  tx: TicketsTx,
  ctx: TenantContext,
  { file_name, size }: AnnounceAttachment,
): Promise<{ organization_id: string; attachment_id: string }> {
  const organization_id = ctx.organization_id;
  const name = safeFileName(file_name);
  const now = Date.now();
  const sender = senderOf(ctx);
  const unused = await countUnused(tx, organization_id, sender, new Date(now - attachmentRules.linkSeconds * 1000).toISOString());
  if (unused >= (sender.from_customer ? maxUnusedOfCustomers : maxUnused))
    throw attachmentRefused({ path: 'file_name', message: tooMany(sender) });
  await checkDemoFiles(tx, ctx, size);
  const unattached = { content_type: null, ticket_id: null, comment_id: null, upload_started_at: null };
  const row = { organization_id, id: newId(), file_name: name, size, ...sender, ...unattached, created_at: new Date(now).toISOString() };
  await insertAttachment(tx, row);
  return { organization_id, attachment_id: row.id };
}

const tooMany = ({ from_customer }: Sender) =>
  from_customer
    ? 'Files cannot be accepted at the moment. Send your message without files, or try again later.'
    : `You have ${maxUnused} uploaded files that are not attached yet. Send or discard their messages first.`;

/**
 * Staff may read all files of their organization, including those of internal notes and the pictures of articles. An unused file is readable only by its uploader (API
 * tokens share one uploader), and not at all if a customer sent it. Customers use public-attachment.service.ts.
 */
function canRead(ctx: Context, file: StoredFile): boolean {
  if (ctx.actor.type !== 'user' && ctx.actor.type !== 'token') return false;
  if (file.article_id !== undefined) return true;
  return file.ticket_id !== null || (!file.from_customer && file.user_id === userIdOf(ctx));
}
