import { createHash } from 'node:crypto';
import { Controller } from '@nestjs/common';
import {
  AppError,
  cancelErasure,
  createErasure,
  erasureChanged,
  listErasures,
  previewErasure,
  privacyLimits,
  readErasure,
  runErasure,
  type Erasure,
  type ErasurePreview,
  type InputOf,
  type Page,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, Jobs, storeResponse } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import { userIdOf } from '../caller';
import type { TicketsSchema, TicketsTx } from '../schema';
import { erasureOf, erasurePurpose, noAnswers } from './erasure';
import {
  countForCustomer,
  countOpen,
  findErasure,
  findErasureForUpdate,
  findErasures,
  findLatestTickets,
  findOtherTickets,
  insertErasure,
  isMember,
  saveErasure,
  type ErasureKey,
  type StoredErasure,
} from './erasure.store';

const shownTickets = 10;
const keyOf = ({ organization_id }: TenantContext, id: string): ErasureKey => ({ organization_id, id });

/** Erasures of customers. `erasure.worker.ts` deletes their data. */
@Controller()
export class ErasureService {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
  ) {}

  @Handles(previewErasure)
  preview(ctx: TenantContext, { body: { email } }: InputOf<typeof previewErasure>): Promise<ErasurePreview> {
    return this.db.readTenant(ctx, async (tx) => {
      const { linked_tasks, ...counts } = await countForCustomer(tx, email);
      const tickets = await findLatestTickets(tx, email, shownTickets);
      return { counts, tickets, other_tickets: (await findOtherTickets(tx, email)).length, linked_tasks };
    });
  }

  @Handles(listErasures)
  async list(ctx: TenantContext, { query }: InputOf<typeof listErasures>): Promise<Page<Erasure>> {
    const { items, pagination } = await this.db.readTenant(ctx, (tx) => findErasures(tx, ctx.organization_id, query));
    return { items: items.map((row) => this.#shown(row)), pagination };
  }

  @Handles(readErasure)
  async read(ctx: TenantContext, { params }: InputOf<typeof readErasure>): Promise<Erasure> {
    return this.#shown(found(await this.db.readTenant(ctx, (tx) => findErasure(tx, keyOf(ctx, params.id)))));
  }

  @Handles(createErasure)
  create(ctx: TenantContext, { body: { email, delay_hours } }: InputOf<typeof createErasure>): Promise<Erasure> {
    return this.db.forTenant(ctx, async (tx) => {
      const { organization_id } = ctx;
      if (await isMember(tx, email)) throw new AppError('erasure.member');
      if ((await countOpen(tx, organization_id)) >= privacyLimits.erasures) throw new AppError('erasure.too_many');
      const now = Date.now();
      const row = {
        id: newId(),
        sealed_email: this.secrets.seal(erasurePurpose, email),
        state: 'scheduled' as const,
        starts_at: new Date(now + delay_hours * 3_600_000).toISOString(),
        requested_by: userIdOf(ctx),
        created_at: new Date(now).toISOString(),
      };
      if (!(await insertErasure(tx, { organization_id, email_hash: hashOf(email), ...row }))) throw new AppError('erasure.exists');
      await announce(tx, ctx, row.id, 'requested', (await countForCustomer(tx, email)).tickets);
      if (delay_hours === 0) this.jobs.add(tx, ctx, runErasure, { erasure_id: row.id }, { id: row.id });
      const stored = { ...row, finished_at: null, answers: noAnswers, remains: [], ticket_count: 0, is_requested: false };
      return storeResponse(tx, this.#shown(stored));
    });
  }

  @Handles(cancelErasure)
  cancel(ctx: TenantContext, { params }: InputOf<typeof cancelErasure>): Promise<Erasure> {
    return this.db.forTenant(ctx, async (tx) => {
      const key = keyOf(ctx, params.id);
      const row = found(await findErasureForUpdate(tx, key));
      if (row.state === 'cancelled') return this.#shown(row);
      if (row.state !== 'scheduled') throw new AppError('erasure.started');
      const end = { state: 'cancelled' as const, finished_at: new Date().toISOString(), sealed_email: null };
      await saveErasure(tx, key, { ...end, email_hash: null });
      await announce(tx, ctx, params.id, 'cancelled', 0);
      return this.#shown({ ...row, ...end });
    });
  }

  #shown(row: StoredErasure): Erasure {
    return erasureOf(row, row.sealed_email && this.secrets.open(erasurePurpose, row.sealed_email));
  }
}

const hashOf = (email: string) => createHash('sha256').update(email).digest('hex');

function found(row: StoredErasure | undefined): StoredErasure {
  if (!row) throw new AppError('erasure.not_found');
  return row;
}

const announce = (tx: TicketsTx, ctx: TenantContext, id: string, what: 'requested' | 'cancelled', tickets: number) =>
  emit(tx, ctx, erasureChanged, id, { what, tickets });
