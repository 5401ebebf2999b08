import { Controller, Inject } from '@nestjs/common';
import {
  announceAttachment,
  AppError,
  attachmentRules,
  linkAttachment,
  listAttachments,
  type Attachment,
  type Context,
  type InputOf,
  type OutputOf,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import type { ServiceConfig } from '@tandem/platform';
import { personIdOf } from '../person';
import type { TicketsSchema } from '../schema';
import { checkTicket } from '../ticket/ticket.service';
import { maxUnused, refused, safeFileName } from './attachment';
import { countUnused, findFilesOfTicket, findStoredFile, insertAttachment, type StoredFile } from './attachment.store';
import { FileTokens, fileUrl, type FileToken } from './file-token';

/** Files on tickets and comments, but for their bytes (file.controller.ts). */
@Controller()
export class AttachmentService {
  readonly #tokens: FileTokens;

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('CONFIG') config: ServiceConfig,
  ) {
    this.#tokens = new FileTokens(config.CONTEXT_SECRET);
  }

  @Handles(announceAttachment)
  async announce(ctx: Context, { body }: InputOf<typeof announceAttachment>): Promise<OutputOf<typeof announceAttachment>> {
    const organization_id = ctx.organization_id!;
    const file_name = safeFileName(body.file_name);
    const id = newId();
    const now = new Date();
    await this.db.forTenant(ctx, async (tx) => {
      const user_id = personIdOf(ctx);
      const comingSince = new Date(now.getTime() - attachmentRules.linkSeconds * 1000).toISOString();
      if ((await countUnused(tx, organization_id, user_id, comingSince)) >= maxUnused)
        throw refused({ path: 'file_name', message: `There are ${maxUnused} files waiting already. Send what they belong to first.` });
      const nowhere = { content_type: null, ticket_id: null, comment_id: null, upload_began_at: null, from_customer: false };
      await insertAttachment(tx, { organization_id, id, file_name, size: body.size, user_id, ...nowhere, created_at: now.toISOString() });
    });
    const { url, expires_at } = this.#sign({ organization_id, attachment_id: id, for: 'upload' }, now);
    return { attachment_id: id, upload_url: url, expires_at };
  }

  @Handles(linkAttachment)
  async link(ctx: Context, { params }: InputOf<typeof linkAttachment>): Promise<OutputOf<typeof linkAttachment>> {
    const file = await this.db.forTenant(ctx, (tx) => findStoredFile(tx, ctx.organization_id!, params.id));
    if (!file || !mayRead(ctx, file)) throw new AppError('attachment.not_found');
    return this.#sign({ organization_id: file.organization_id, attachment_id: file.id, for: 'download' }, new Date());
  }

  @Handles(listAttachments)
  list(ctx: Context, { params }: InputOf<typeof listAttachments>): Promise<Attachment[]> {
    return this.db.forTenant(ctx, async (tx) => {
      await checkTicket(tx, params.id);
      return findFilesOfTicket(tx, ctx.organization_id!, params.id);
    });
  }

  #sign(token: Omit<FileToken, 'expires_at'>, now: Date): { url: string; expires_at: string } {
    const expires_at = new Date(now.getTime() + attachmentRules.linkSeconds * 1000).toISOString();
    return { url: fileUrl(this.#tokens.sign({ ...token, expires_at })), expires_at };
  }
}

/**
 * Staff read all files of their organization, those of internal notes as well; what is used nowhere yet is its sender's alone (those of API
 * tokens are the organization's). Customers have
 * no way here: the operation that will let them read the files of public comments brings its own rule to this place.
 */
function mayRead(ctx: Context, file: StoredFile): boolean {
  if (ctx.actor.type !== 'user' && ctx.actor.type !== 'token') return false;
  return file.ticket_id !== null || file.user_id === personIdOf(ctx);
}
