import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Inject, Put, Req, Res } from '@nestjs/common';
import { AppError, uploadImportFile } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { discardBody, exemptFromTimeout, requireContext, type Logger, type ServiceConfig } from '@tandem/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sizeMismatch } from '../attachment/content-check';
import { FileTokens, type FileToken } from '../attachment/file-token';
import { storageKey } from '../attachment/file.controller';
import { storeUpload } from '../attachment/store-upload';
import { TransferSlots } from '../attachment/transfer-slots';
import { findActiveFields } from '../custom-field/custom-field.store';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { ImportFailed } from './import-reader';
import {
  claimUpload,
  deleteImportFiles,
  findImportFiles,
  findImportForUpdate,
  saveImport,
  saveImportFile,
  type StoredImportFile,
} from './import.store';
import { describeCsv } from './readers/csv-head';

/** Concurrent uploads per process. */
const uploads = { maxTotal: 8, maxPerOrganization: 2 };
/** An upload is aborted after `idleMs` without data, or after `maxMs` in total: 2 GB need 600 KB/s. */
export const importUploadLimits = { idleMs: 60_000, maxMs: 3_600_000 };
/** What is read of a refused upload, so that the client reads the response instead of a closed connection. */
const maxDiscardedBytes = 20 * 1024 * 1024;

type UploadRequest = FastifyRequest<{ Params: { token: string } }>;

/** Streams files of imports from the gateway to the file storage. */
@Controller()
export class ImportFileController {
  readonly #slots = new TransferSlots(uploads.maxTotal, uploads.maxPerOrganization);

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    @Inject('CONFIG') private readonly config: ServiceConfig,
    @Inject('LOG') private readonly log: Logger,
    private readonly tokens: FileTokens,
  ) {}

  @Put(uploadImportFile.path)
  async upload(@Req() request: UploadRequest, @Res() reply: FastifyReply): Promise<void> {
    const endExemption = exemptFromTimeout(request.raw);
    let release = () => {};
    try {
      requireContext(request.raw, this.config.CONTEXT_SECRET);
      const token = this.tokens.verify(request.params.token, 'import', Date.now());
      if (!token) throw new AppError('file.link_expired');
      release = this.#slots.acquire(token.organization_id);
      await this.#receive(token, request);
      await reply.status(uploadImportFile.status).send({ success: true, data: {}, meta: { request_id: request.id } });
    } finally {
      release();
      endExemption();
      if (Number(request.headers['content-length']) <= maxDiscardedBytes) discardBody(request.raw);
      else if (!request.raw.readableEnded) reply.raw.once('finish', () => request.raw.destroy());
    }
  }

  async #receive(token: FileToken, request: UploadRequest): Promise<void> {
    const id = token.attachment_id;
    const file = await this.db.forTenant(token, (tx) => claimUpload(tx, id, new Date().toISOString()));
    if (!file) throw new AppError('file.link_expired');
    try {
      if (Number(request.headers['content-length']) !== file.size || !(request.body instanceof Readable)) throw sizeMismatch();
      const upload = { body: request.body, size: file.size };
      await storeUpload(this.storage, storageKey(token.organization_id, id), upload, importUploadLimits);
      await this.#finish(token, file);
    } catch (error) {
      await this.#discard(token);
      throw error;
    }
  }

  /** Describes a CSV file. A file that cannot be read has no columns; the check of the import requires them. */
  async #finish(token: FileToken, file: StoredImportFile): Promise<void> {
    const source = await this.db.forTenant(token, async (tx) => (await findImportForUpdate(tx, { ...token, id: file.import_id }))?.source);
    const head = source === 'csv' ? await this.#describe(token, file) : {};
    await this.db.forTenant(token, async (tx) => {
      const row = await findImportForUpdate(tx, { ...token, id: file.import_id });
      if (row?.state !== 'preparing') throw new AppError('file.link_expired');
      await saveImportFile(tx, file.id, { is_uploaded: true, ...head });
      const [first] = (await findImportFiles(tx, [row.id])).filter(({ is_uploaded }) => is_uploaded);
      await saveImport(tx, row, { name: first?.file_name ?? file.file_name });
    });
  }

  async #describe(token: FileToken, { id, file_name, kind }: StoredImportFile): Promise<Partial<StoredImportFile>> {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-import-'));
    try {
      const stored = await this.storage.get(storageKey(token.organization_id, id));
      if (!stored) throw new AppError('file.link_expired');
      const path = join(folder, id);
      await pipeline(stored, createWriteStream(path, { mode: 0o600 }));
      const fields = await this.db.forTenant(token, findActiveFields);
      return await describeCsv(path, file_name, { kind, customFields: fields.map(({ key }) => key) });
    } catch (error) {
      if (error instanceof ImportFailed) return {};
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Removes a failed upload: bytes, then row. What cannot be removed now is removed with the import. */
  async #discard(token: FileToken): Promise<void> {
    const { organization_id, attachment_id } = token;
    try {
      await this.storage.remove(storageKey(organization_id, attachment_id));
      await this.db.forTenant(token, (tx) => deleteImportFiles(tx, [attachment_id]));
    } catch (error) {
      this.log.warn({ err: error, organization_id, file_id: attachment_id }, 'Could not remove a failed upload of an import');
    }
  }
}
