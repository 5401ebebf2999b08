import { tmpdir } from 'node:os';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  exportChanged,
  exportLimits,
  pruneExports,
  systemContext,
  writeExport,
  type JobDataOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, HandlesJob, Recovers, type Attempt, type PendingJob } from '@tandem/messaging';
import { Secrets, type Logger } from '@tandem/platform';
import type { TicketsSchema, TicketsTx } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { removeArchive, storeArchive } from './archive-storage';
import { writeArchive } from './archive-writer';
import { customerPurpose, expiryOf, type ArchivePiece } from './export';
import { deleteParts } from './export-part.store';
import {
  deleteOldExports,
  endArchive,
  failExport,
  findEndedAcrossOrganizations,
  findLateAcrossOrganizations,
  findRunningForUpdate,
  findWritableAcrossOrganizations,
  finishRun,
  savePieces,
  saveProgress,
  startRun,
} from './export.store';
import { ExportStopped } from './lines';
import { createFolder, removeAbandonedFolders, removeFolder } from './temporary-folder';
import { countLines } from './ticket-lines.store';
import type { ExportConfig } from './variables';

const batchSize = 100;
/** Between two updates of the progress, which also show whether the run must stop. */
const progressMs = 1_000;

type Running = NonNullable<Awaited<ReturnType<typeof findRunningForUpdate>>>;

/** Writes the archives of exports, and removes those that have expired. */
@Injectable()
export class ExportWorker implements OnApplicationBootstrap, OnModuleDestroy {
  #isStopping = false;

  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    @Inject('CONFIG') private readonly config: ExportConfig,
    @Inject('LOG') private readonly log: Logger,
    private readonly secrets: Secrets,
  ) {}

  get #parent(): string {
    return this.config.EXPORTS_DIR ?? tmpdir();
  }

  async onApplicationBootstrap(): Promise<void> {
    await removeAbandonedFolders(this.#parent);
  }

  onModuleDestroy(): void {
    this.#isStopping = true;
  }

  @Recovers(writeExport)
  async findWritable(): Promise<PendingJob<typeof writeExport>[]> {
    const waiting = await this.db.asSystem('exports whose parts have arrived', findWritableAcrossOrganizations);
    return waiting.map(({ organization_id, id }) => ({
      id,
      ctx: systemContext(organization_id, `export-${id}`),
      data: { export_id: id },
    }));
  }

  /** Starts from the beginning, whatever an earlier run has done. */
  @HandlesJob(writeExport, { concurrency: 1 })
  async write(ctx: TenantContext, { export_id }: JobDataOf<typeof writeExport>, { last }: Pick<Attempt, 'last'>): Promise<void> {
    const run_id = newId();
    const row = await this.#start(ctx, export_id, run_id);
    if (!row) return;
    const folder = await createFolder(this.#parent);
    try {
      await this.#writeAndStore(ctx, row, run_id, folder);
    } catch (error) {
      if (error instanceof ExportStopped && !this.#isStopping) return;
      if (last && !this.#isStopping) await this.#fail(ctx, export_id, 'The archive could not be written. The log of the server says why.');
      throw error;
    } finally {
      await removeFolder(folder);
    }
  }

  /** Takes the export over, and removes what an interrupted run has stored. Undefined if there is nothing to do. */
  async #start(ctx: TenantContext, export_id: string, run_id: string): Promise<Running | undefined> {
    const row = await this.db.forTenant(ctx, (tx) => findRunningForUpdate(tx, ctx.organization_id, export_id));
    if (!row || row.missing_parts.length > 0) return undefined;
    const lines = await this.db.readTenant(ctx, (tx) => countLines(tx, ctx.organization_id));
    return this.db.forTenant(ctx, async (tx) => {
      const current = await findRunningForUpdate(tx, ctx.organization_id, export_id);
      if (!current) return undefined;
      // In the transaction: if it fails, the row still refers to the pieces.
      await removeArchive(this.storage, ctx.organization_id, current.pieces);
      await startRun(tx, export_id, run_id, lines);
      return current;
    });
  }

  async #writeAndStore(ctx: TenantContext, row: Running, run_id: string, folder: string): Promise<void> {
    const { db, storage } = this;
    let savedMs = 0;
    const checkpoint = async (lines: number) => {
      if (this.#isStopping) throw new ExportStopped();
      if (Date.now() - savedMs < progressMs) return;
      savedMs = Date.now();
      if (!(await db.forTenant(ctx, (tx) => saveProgress(tx, row.id, run_id, lines)))) throw new ExportStopped();
    };
    const customer_email = row.sealed_email && this.secrets.open(customerPurpose, row.sealed_email);
    const archive = await writeArchive({
      ctx,
      db,
      storage,
      export_id: row.id,
      has_files: row.has_files,
      customer_email,
      folder,
      checkpoint,
    });
    let stored: readonly ArchivePiece[] = [];
    try {
      await storeArchive(storage, ctx.organization_id, archive, async (pieces) => {
        if (!(await db.forTenant(ctx, (tx) => savePieces(tx, row.id, run_id, pieces)))) throw new ExportStopped();
        stored = [...pieces];
      });
      if (!(await db.forTenant(ctx, (tx) => finish(tx, ctx, row, run_id)))) throw new ExportStopped();
    } catch (error) {
      // Another run has taken over, or the export was deleted, while a piece was on its way: the row may not refer to it any more.
      if (error instanceof ExportStopped) await removeArchive(storage, ctx.organization_id, stored);
      throw error;
    }
  }

  async #fail(ctx: TenantContext, export_id: string, reason: string): Promise<void> {
    await this.db.forTenant(ctx, async (tx) => {
      const row = await findRunningForUpdate(tx, ctx.organization_id, export_id);
      if (!row) return;
      await failExport(tx, export_id);
      await deleteParts(tx, export_id);
      await emit(tx, ctx, exportChanged, export_id, {
        what: 'failed',
        has_files: row.has_files,
        reason,
        created_by: row.created_by,
        is_of_customer: row.is_of_customer,
      });
    });
  }

  // ---- removal --------------------------------------------------------------------------------------------------

  @Recovers(pruneExports)
  async findPrunable(): Promise<PendingJob<typeof pruneExports>[]> {
    const due = await this.db.asSystem('exports that have ended', async (tx) => [
      ...(await findEndedAcrossOrganizations(tx, 1)),
      ...(await findLateAcrossOrganizations(tx, 1)),
    ]);
    return due.length > 0 ? [{ id: 'due', ctx: systemContext(null, 'prune-exports'), data: {} }] : [];
  }

  @HandlesJob(pruneExports, { concurrency: 1 })
  async prune(): Promise<void> {
    for (const { organization_id, id } of await this.db.asSystem('exports without all parts', (tx) =>
      findLateAcrossOrganizations(tx, batchSize),
    ))
      await this.#failLate(systemContext(organization_id, `export-${id}`), id);
    const ended = await this.db.asSystem('exports that have ended', (tx) => findEndedAcrossOrganizations(tx, batchSize));
    for (const { organization_id, id, pieces } of ended) {
      // The bytes before the row, which is their only reference.
      await removeArchive(this.storage, organization_id, pieces);
      await this.db.forTenant({ organization_id }, async (tx) => {
        await endArchive(tx, organization_id, id);
        await deleteParts(tx, id);
        await deleteOldExports(tx, organization_id);
      });
    }
    if (ended.length > 0) this.log.info({ exports: ended.length }, 'Removed archives of exports');
  }

  async #failLate(ctx: TenantContext, id: string): Promise<void> {
    const row = await this.db.forTenant(ctx, (tx) => findRunningForUpdate(tx, ctx.organization_id, id));
    if (!row || row.missing_parts.length === 0) return;
    const services = row.missing_parts.join(', ');
    await this.#fail(ctx, id, `No complete data within ${exportLimits.partMinutes} minutes from: ${services}`);
  }
}

/** False if the run must stop. */
async function finish(
  tx: TicketsTx,
  ctx: TenantContext,
  { id, has_files, created_by, is_of_customer }: Running,
  run_id: string,
): Promise<boolean> {
  const finished = new Date();
  const times = { finished_at: finished.toISOString(), expires_at: expiryOf(finished).toISOString() };
  if (!(await finishRun(tx, id, run_id, times))) return false;
  await deleteParts(tx, id);
  await emit(tx, ctx, exportChanged, id, { what: 'finished', has_files, reason: null, created_by, is_of_customer });
  return true;
}
