import { Controller } from '@nestjs/common';
import {
  AppError,
  createExport,
  deleteExport,
  exportChanged,
  exportLimits,
  exportRequested,
  linkExport,
  listExports,
  pruneExports,
  readExport,
  systemContext,
  type Export,
  type InputOf,
  type OutputOf,
  type Page,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, Jobs, storeResponse } from '@tandem/messaging';
import { FileTokens } from '../attachment/file-token';
import { userIdOf } from '../caller';
import { refuseInDemo } from '../demo/demo-quota';
import type { TicketsSchema, TicketsTx } from '../schema';
import { partServices } from './export';
import { countExportsForUpdate, findExport, findExports, insertExport, markDeleted } from './export.store';

const missing = () => new AppError('export.not_found');

/** Exports of a whole organization. `export.worker.ts` writes their archives. */
@Controller()
export class DataExportService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
    private readonly tokens: FileTokens,
  ) {}

  @Handles(listExports)
  list(ctx: TenantContext, { query }: InputOf<typeof listExports>): Promise<Page<Export>> {
    return this.db.readTenant(ctx, (tx) => findExports(tx, ctx.organization_id, query));
  }

  @Handles(readExport)
  read(ctx: TenantContext, { params }: InputOf<typeof readExport>): Promise<Export> {
    return this.db.readTenant(ctx, (tx) => getExport(tx, ctx, params.id));
  }

  @Handles(createExport)
  create(ctx: TenantContext, { body }: InputOf<typeof createExport>): Promise<Export> {
    return this.db.forTenant(ctx, async (tx) => {
      const { organization_id } = ctx;
      await refuseInDemo(tx, ctx, 'A live demo cannot be exported. Start your own free trial to continue.');
      const { count, is_running } = await countExportsForUpdate(tx, organization_id);
      if (is_running) throw new AppError('export.running');
      if (count >= exportLimits.perDay) throw new AppError('export.too_many', { retryAfterSeconds: 3_600 });
      const id = newId();
      const created = { created_by: userIdOf(ctx), created_at: new Date().toISOString() };
      await insertExport(tx, { organization_id, id, has_files: body.has_files, missing_parts: [...partServices], ...created });
      await emit(tx, ctx, exportRequested, id, { export_id: id });
      await announce(tx, ctx, id, 'created', body.has_files);
      return storeResponse(tx, await getExport(tx, ctx, id));
    });
  }

  @Handles(linkExport)
  link(ctx: TenantContext, { params }: InputOf<typeof linkExport>): Promise<OutputOf<typeof linkExport>> {
    return this.db.forTenant(ctx, async (tx) => {
      const { id, state, expires_at, has_files } = await getExport(tx, ctx, params.id);
      if (state !== 'done' || Date.parse(expires_at!) <= Date.now()) throw new AppError('export.not_ready');
      // The link is what grants access, and its recipient is known here.
      await announce(tx, ctx, id, 'downloaded', has_files);
      return this.tokens.link({ organization_id: ctx.organization_id, attachment_id: id, for: 'export' });
    });
  }

  @Handles(deleteExport)
  delete(ctx: TenantContext, { params }: InputOf<typeof deleteExport>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const deleted = await markDeleted(tx, ctx.organization_id, params.id);
      if (!deleted) throw missing();
      await announce(tx, ctx, params.id, 'deleted', deleted.has_files);
      this.jobs.add(tx, systemContext(null, ctx.request_id), pruneExports, {}, { id: params.id });
      return {};
    });
  }
}

async function getExport(tx: TicketsTx, ctx: TenantContext, id: string): Promise<Export> {
  const found = await findExport(tx, ctx.organization_id, id);
  if (!found) throw missing();
  return found;
}

const announce = (tx: TicketsTx, ctx: TenantContext, id: string, what: 'created' | 'downloaded' | 'deleted', has_files: boolean) =>
  emit(tx, ctx, exportChanged, id, { what, has_files, reason: null, created_by: null });
