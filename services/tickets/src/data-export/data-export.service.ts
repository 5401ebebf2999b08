import { Controller } from '@nestjs/common';
import {
  AppError,
  createExport,
  deleteExport,
  exportChanged,
  exportCustomer,
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
import { Secrets } from '@tandem/platform';
import { userIdOf } from '../caller';
import { refuseInDemo } from '../demo/demo-quota';
import type { TicketsSchema, TicketsTx } from '../schema';
import { customerPurpose, partServices } from './export';
import { countExportsForUpdate, findExport, findExports, insertExport, markDeleted, type StoredExport } from './export.store';

const missing = () => new AppError('export.not_found');

/** Exports of a whole organization, or of one customer. `export.worker.ts` writes their archives. */
@Controller()
export class DataExportService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
    private readonly tokens: FileTokens,
    private readonly secrets: Secrets,
  ) {}

  @Handles(listExports)
  async list(ctx: TenantContext, { query }: InputOf<typeof listExports>): Promise<Page<Export>> {
    const { items, pagination } = await this.db.readTenant(ctx, (tx) => findExports(tx, ctx.organization_id, query));
    return { items: items.map((row) => this.#shown(row)), pagination };
  }

  @Handles(readExport)
  async read(ctx: TenantContext, { params }: InputOf<typeof readExport>): Promise<Export> {
    return this.#shown(await this.db.readTenant(ctx, (tx) => getExport(tx, ctx, params.id)));
  }

  @Handles(createExport)
  create(ctx: TenantContext, { body }: InputOf<typeof createExport>): Promise<Export> {
    return this.db.forTenant(ctx, async (tx) => storeResponse(tx, await this.#create(tx, ctx, body.has_files, null)));
  }

  /** The address is also in `export.requested`, until the event is deleted. */
  @Handles(exportCustomer)
  createOfCustomer(ctx: TenantContext, { body }: InputOf<typeof exportCustomer>): Promise<Export> {
    return this.db.forTenant(ctx, async (tx) => storeResponse(tx, await this.#create(tx, ctx, true, body.email)));
  }

  async #create(tx: TicketsTx, ctx: TenantContext, has_files: boolean, customer_email: string | null): Promise<Export> {
    const { organization_id } = ctx;
    await refuseInDemo(tx, ctx, 'A live demo cannot be exported. Start your own free trial to continue.');
    const { count, is_running } = await countExportsForUpdate(tx, organization_id);
    if (is_running) throw new AppError('export.running');
    if (count >= exportLimits.perDay) throw new AppError('export.too_many', { retryAfterSeconds: 3_600 });
    const id = newId();
    const is_of_customer = customer_email !== null;
    const sealed_email = customer_email && this.secrets.seal(customerPurpose, customer_email);
    const created = { created_by: userIdOf(ctx), created_at: new Date().toISOString() };
    await insertExport(tx, {
      organization_id,
      id,
      has_files,
      is_of_customer,
      sealed_email,
      missing_parts: [...partServices],
      ...created,
    });
    await emit(tx, ctx, exportRequested, id, { export_id: id, customer_email });
    await announce(tx, ctx, id, 'created', { has_files, is_of_customer });
    return this.#shown(await getExport(tx, ctx, id));
  }

  @Handles(linkExport)
  link(ctx: TenantContext, { params }: InputOf<typeof linkExport>): Promise<OutputOf<typeof linkExport>> {
    return this.db.forTenant(ctx, async (tx) => {
      const { id, state, expires_at, ...row } = await getExport(tx, ctx, params.id);
      if (state !== 'done' || Date.parse(expires_at!) <= Date.now()) throw new AppError('export.not_ready');
      // The link is what grants access, and its recipient is known here.
      await announce(tx, ctx, id, 'downloaded', row);
      return this.tokens.link({ organization_id: ctx.organization_id, attachment_id: id, for: 'export' });
    });
  }

  @Handles(deleteExport)
  delete(ctx: TenantContext, { params }: InputOf<typeof deleteExport>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const deleted = await markDeleted(tx, ctx.organization_id, params.id);
      if (!deleted) throw missing();
      await announce(tx, ctx, params.id, 'deleted', deleted);
      this.jobs.add(tx, systemContext(null, ctx.request_id), pruneExports, {}, { id: params.id });
      return {};
    });
  }

  #shown({ sealed_email, ...row }: StoredExport): Export {
    return { ...row, customer_email: sealed_email && this.secrets.open(customerPurpose, sealed_email) };
  }
}

async function getExport(tx: TicketsTx, ctx: TenantContext, id: string): Promise<StoredExport> {
  const found = await findExport(tx, ctx.organization_id, id);
  if (!found) throw missing();
  return found;
}

const announce = (
  tx: TicketsTx,
  ctx: TenantContext,
  id: string,
  what: 'created' | 'downloaded' | 'deleted',
  { has_files, is_of_customer }: { has_files: boolean; is_of_customer: boolean },
) => emit(tx, ctx, exportChanged, id, { what, has_files, reason: null, created_by: null, is_of_customer });
