import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { AppError, downloadExport } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { requireContext, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FileTokens } from '../attachment/file-token';
import { TransferSlots } from '../attachment/transfer-slots';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { openArchive } from './archive-storage';
import { findArchive } from './export.store';

/** Concurrent downloads per process, in total and per organization. */
const downloads = { maxTotal: 20, maxPerOrganization: 3 };

const expired = () => new AppError('file.link_expired');

/** Streams archives for the gateway. The signed token names the export. */
@Controller()
export class ExportDownloadController {
  readonly #slots = new TransferSlots(downloads.maxTotal, downloads.maxPerOrganization);

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    @Inject('CONFIG') private readonly config: ServiceConfig,
    private readonly tokens: FileTokens,
  ) {}

  @Get(downloadExport.path)
  async download(@Req() request: FastifyRequest<{ Params: { token: string } }>, @Res() reply: FastifyReply): Promise<void> {
    requireContext(request.raw, this.config.CONTEXT_SECRET);
    const token = this.tokens.verify(request.params.token, 'export', Date.now());
    if (!token) throw expired();
    const { organization_id, attachment_id: export_id } = token;
    if (reply.raw.destroyed) return;
    reply.raw.once('close', this.#slots.acquire(organization_id));
    const archive = await this.db.forTenant(token, (tx) => findArchive(tx, organization_id, export_id));
    const bytes = archive && (await openArchive(this.storage, organization_id, archive.pieces));
    if (!bytes) throw expired();
    await reply
      .headers({
        'content-type': 'application/zip',
        'content-length': String(archive.pieces.reduce((sum, { size }) => sum + size, 0)),
        'content-disposition': `attachment; filename="tandem-${archive.is_of_customer ? 'customer' : 'export'}-${archive.finished_at!.slice(0, 10)}.zip"`,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(bytes);
  }
}
