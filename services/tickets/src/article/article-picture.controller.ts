import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { AppError, readArticlePicture } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { requireContext, type Logger, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fileHeaders } from '../attachment/attachment';
import { downloads, storageKey } from '../attachment/file.controller';
import { TransferSlots } from '../attachment/transfer-slots';
import { slotOwner } from '../demo/demo-quota';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { findPictureOwnerAcrossOrganizations, findPublicPicture } from './article-picture.store';

/** A picture that was taken off the help pages may still be shown for this time. */
const cacheSeconds = 300;
const isUuid = (text: string): boolean => readArticlePicture.input.params.safeParse({ id: text }).success;

/** Streams the pictures of public articles for the gateway. Members read others with `linkAttachment`. */
@Controller()
export class ArticlePictureController {
  readonly #downloads = new TransferSlots(downloads.maxTotal, downloads.maxPerOrganization);

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @Get(readArticlePicture.path)
  async read(@Req() request: FastifyRequest<{ Params: { id: string } }>, @Res() reply: FastifyReply): Promise<void> {
    requireContext(request.raw, this.config.CONTEXT_SECRET);
    const { id } = request.params;
    const found = isUuid(id)
      ? await this.db.asSystem('find the organization of a picture', (tx) => findPictureOwnerAcrossOrganizations(tx, id))
      : undefined;
    const picture = found && (await this.db.forTenant(found, (tx) => findPublicPicture(tx, found.organization_id, id)));
    if (!picture) throw new AppError('attachment.not_found');
    const { organization_id } = found;
    const owner = await slotOwner(this.db, organization_id);
    // The client has disconnected in the meantime: there is no second `close`, which would free the slot.
    if (reply.raw.destroyed) return;
    reply.raw.once('close', this.#downloads.acquire(owner));
    const bytes = await this.storage.get(storageKey(organization_id, id));
    if (!bytes) {
      this.log.error({ organization_id, attachment_id: id }, 'Stored picture not found');
      throw new AppError('attachment.not_found');
    }
    await reply.headers({ ...fileHeaders(picture, 0), ...headersForEverybody }).send(bytes);
  }
}

/** The widget shows articles on the pages of other sites. */
const headersForEverybody = { 'cache-control': `public, max-age=${cacheSeconds}`, 'cross-origin-resource-policy': 'cross-origin' };
