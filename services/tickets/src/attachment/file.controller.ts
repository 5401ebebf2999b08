import { Readable } from 'node:stream';
import { Controller, Get, Inject, Put, Req, Res } from '@nestjs/common';
import { AppError, downloadFile, uploadFile, type Attachment } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { discardBody, exemptFromTimeout, requireContext, type Logger, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { slotOwner } from '../demo/demo-quota';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { fileHeaders } from './attachment';
import { beginUpload, deleteAttachment, findStoredFile, finishUpload } from './attachment.store';
import { sizeMismatch } from './content-check';
import { FileTokens, type FileToken } from './file-token';
import { storeUpload } from './store-upload';
import { TransferSlots } from './transfer-slots';

/** Concurrent transfers per process, in total and per organization. An upload costs a few hundred kilobytes of memory. */
const uploads = { maxTotal: 32, maxPerOrganization: 12 };
export const downloads = { maxTotal: 100, maxPerOrganization: 40 };
/** An upload is aborted after `idleMs` without data, or after `maxMs` in total. */
export const uploadLimits = { idleMs: 15_000, maxMs: 300_000 };

export const storageKey = (organization_id: string, id: string): string => `${organization_id}/${id}`;
const expired = () => new AppError('file.link_expired');

type FileRequest = FastifyRequest<{ Params: { token: string } }>;

/** Streams uploads and downloads for the gateway. The signed token names the file and the purpose. */
@Controller()
export class FileController {
  readonly #uploads = new TransferSlots(uploads.maxTotal, uploads.maxPerOrganization);
  readonly #downloads = new TransferSlots(downloads.maxTotal, downloads.maxPerOrganization);

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject('LOG') private readonly log: Logger,
    private readonly tokens: FileTokens,
  ) {}

  @Put(uploadFile.path)
  async upload(@Req() request: FileRequest, @Res() reply: FastifyReply): Promise<void> {
    const endExemption = exemptFromTimeout(request.raw);
    let release = () => {};
    try {
      const token = this.#tokenOf(request, 'upload');
      release = this.#uploads.acquire(await slotOwner(this.db, token.organization_id));
      const data = await this.#receive(token, request);
      await reply.status(uploadFile.status).send({ success: true, data, meta: { request_id: request.id } });
    } finally {
      release();
      endExemption();
      // The rest is at most 20 MB, the limit of the gateway.
      discardBody(request.raw);
    }
  }

  @Get(downloadFile.path)
  async download(@Req() request: FileRequest, @Res() reply: FastifyReply): Promise<void> {
    const token = this.#tokenOf(request, 'download');
    const owner = await slotOwner(this.db, token.organization_id);
    // The client has disconnected in the meantime: there is no second `close`, which would free the slot.
    if (reply.raw.destroyed) return;
    reply.raw.once('close', this.#downloads.acquire(owner));
    const file = await this.db.forTenant(token, (tx) => findStoredFile(tx, token.organization_id, token.attachment_id));
    if (!file) throw expired();
    const bytes = await this.storage.get(storageKey(token.organization_id, file.id));
    if (!bytes) {
      this.log.error({ organization_id: token.organization_id, attachment_id: file.id }, 'Stored file not found');
      throw new AppError('attachment.not_found');
    }
    await reply.headers(fileHeaders(file, (Date.parse(token.expires_at) - Date.now()) / 1000)).send(bytes);
  }

  /** Requires a context signed by the gateway, and a valid token for this purpose. */
  #tokenOf(request: FileRequest, purpose: FileToken['for']): FileToken {
    requireContext(request.raw, this.config.CONTEXT_SECRET);
    const token = this.tokens.verify(request.params.token, purpose, Date.now());
    if (!token) throw expired();
    return token;
  }

  async #receive(token: FileToken, request: FileRequest): Promise<Attachment> {
    const id = token.attachment_id;
    const claimed = await this.db.forTenant(token, (tx) => beginUpload(tx, id, new Date().toISOString()));
    if (!claimed) throw expired();
    try {
      const { 'content-length': length } = request.headers;
      if (Number(length) !== claimed.size || !(request.body instanceof Readable)) throw sizeMismatch();
      const upload = { body: request.body, size: claimed.size };
      const content = await storeUpload(this.storage, storageKey(token.organization_id, id), upload, uploadLimits);
      const type = await content.type();
      return await this.db.forTenant(token, (tx) => finishUpload(tx, id, type));
    } catch (error) {
      await this.#discard(token);
      throw error;
    }
  }

  /** Removes a failed upload: bytes, then row. The sweep removes what cannot be removed now. */
  async #discard(token: FileToken): Promise<void> {
    const { organization_id, attachment_id } = token;
    try {
      await this.storage.remove(storageKey(organization_id, attachment_id));
      await this.db.forTenant(token, (tx) => deleteAttachment(tx, attachment_id));
    } catch (error) {
      this.log.warn({ err: error, organization_id, attachment_id }, 'Could not remove a failed upload; the sweep will remove it');
    }
  }
}
