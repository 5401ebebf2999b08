import { Controller, Inject } from '@nestjs/common';
import {
  announceImportFile,
  AppError,
  importLimits,
  removeImportFile,
  type InputOf,
  type OutputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { safeFileName } from '../attachment/attachment';
import { FileTokens, fileUrl } from '../attachment/file-token';
import { storageKey } from '../attachment/file.controller';
import type { TicketsSchema, TicketsTx } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { deleteImportFiles, findImportFiles, findImportForUpdate, insertImportFile, saveImport, type StoredImport } from './import.store';

/** How long the upload URL is valid. The upload itself may take longer. */
const linkMs = 3_600_000;

/** Files of imports, except for their bytes (import-file.controller.ts). */
@Controller()
export class ImportFileService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    private readonly tokens: FileTokens,
  ) {}

  @Handles(announceImportFile)
  async announce(ctx: TenantContext, { params, body }: InputOf<typeof announceImportFile>): Promise<OutputOf<typeof announceImportFile>> {
    const { organization_id } = ctx;
    const now = Date.now();
    const row = {
      organization_id, id: newId(), import_id: params.id, file_name: safeFileName(body.file_name), size: body.size, kind: body.kind ?? null,
      upload_started_at: null, is_uploaded: false, columns: null, sample: null, mapping: null, created_at: new Date(now).toISOString(),
    }; // prettier-ignore
    await this.db.forTenant(ctx, async (tx) => {
      const current = await getChangeableImport(tx, ctx, params.id);
      const files = await findImportFiles(tx, [params.id]);
      const isPossible = (file: (typeof files)[number]) => file.is_uploaded || Date.parse(file.created_at) > now - linkMs;
      if (files.filter(isPossible).length >= importLimits.files) throw new AppError('import.too_many_files');
      await insertImportFile(tx, row);
      await saveImport(tx, current, { state: 'preparing', has_files: true });
    });
    const expires_at = new Date(now + linkMs).toISOString();
    const token = this.tokens.sign({ organization_id, attachment_id: row.id, for: 'import', expires_at });
    return { file_id: row.id, upload_url: fileUrl(token, 'import'), expires_at };
  }

  /** The bytes before the row, which is their only reference. */
  @Handles(removeImportFile)
  async remove(ctx: TenantContext, { params }: InputOf<typeof removeImportFile>): Promise<Record<string, never>> {
    const find = async (tx: TicketsTx) => {
      const current = await getChangeableImport(tx, ctx, params.id);
      const file = (await findImportFiles(tx, [params.id])).find(({ id }) => id === params.file_id);
      if (!file) throw new AppError('import.not_found');
      return { current, file };
    };
    const { file } = await this.db.forTenant(ctx, find);
    await this.storage.remove(storageKey(ctx.organization_id, file.id));
    await this.db.forTenant(ctx, async (tx) => {
      const { current } = await find(tx);
      await deleteImportFiles(tx, [file.id]);
      await saveImport(tx, current, { state: 'preparing' });
    });
    return {};
  }
}

async function getChangeableImport(tx: TicketsTx, ctx: TenantContext, id: string): Promise<StoredImport> {
  const row = await findImportForUpdate(tx, { organization_id: ctx.organization_id, id });
  if (!row) throw new AppError('import.not_found');
  if (row.state !== 'preparing' && row.state !== 'ready') throw new AppError('import.state');
  return row;
}
