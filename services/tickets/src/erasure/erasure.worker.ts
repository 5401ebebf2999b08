import { Inject, Injectable } from '@nestjs/common';
import {
  erasureAnswers,
  erasureChanged,
  erasureRequested,
  identityErasureAnswered,
  pruneExports,
  pruneImports,
  runErasure,
  systemContext,
  ticketHistories,
  type DataOf,
  type Envelope,
  type ErasureRemain,
  type JobDataOf,
  type ServiceName,
  type TenantContext,
} from '@tandem/contracts';
import { Database, deleteEventsContaining } from '@tandem/db';
import { Consumes, emit, HandlesJob, Jobs, Recovers, type PendingJob } from '@tandem/messaging';
import { Secrets } from '@tandem/platform';
import type { TicketsSchema, TicketsTx } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { deleteTickets, removeFiles } from '../ticket-deletion/delete-tickets';
import type { DeletedTickets } from '../ticket-deletion/delete-tickets.store';
import { addCounts, erasurePurpose, hasEveryAnswer, noAnswers, union, type Counts } from './erasure';
import {
  deleteEventsAbout,
  deleteExports,
  endImports,
  eraseInHistory,
  eraseInOtherTickets,
  eraseTraces,
  findDueAcrossOrganizations,
  findErasureForUpdate,
  findFilesInOtherTickets,
  findOtherTickets,
  findTicketsOfCustomer,
  isImporting,
  saveErasure,
  type ErasureKey,
  type StoredErasure,
} from './erasure.store';

/** Tickets per transaction. */
const batch = 100;
/** What no erasure reaches. */
const always: readonly ErasureRemain[] = ['backups', 'events', 'figures', 'mailboxes', 'mentions', 'webhooks'];

type Answered = DataOf<typeof identityErasureAnswered>;

/** Erases customers: deletes their data here, requests the other services to do so, and completes the receipt with their answers. */
@Injectable()
export class ErasureWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
    @Inject('STORAGE') private readonly storage: Storage,
  ) {}

  @Recovers(runErasure)
  async findDue(): Promise<PendingJob<typeof runErasure>[]> {
    const due = await this.db.asSystem('erasures that are due', findDueAcrossOrganizations);
    return due.map(({ organization_id, id }) => ({ id, ctx: systemContext(organization_id, `erasure-${id}`), data: { erasure_id: id } }));
  }

  /** Each batch is counted in its own transaction: if the process dies, the next run continues with the tickets that are left. */
  @HandlesJob(runErasure, { concurrency: 1 })
  async run(ctx: TenantContext, { erasure_id }: JobDataOf<typeof runErasure>): Promise<void> {
    const key = { organization_id: ctx.organization_id, id: erasure_id };
    const email = await this.db.forTenant(ctx, (tx) => this.#start(tx, key));
    if (email === undefined) return;
    // The job is repeated, and found again by the sweep, until the import has ended.
    if (await this.db.readTenant(ctx, (tx) => isImporting(tx, ctx.organization_id))) throw new Error('Waits until an import has ended');
    while (await this.#deleteBatch(ctx, key, email));
    await this.#deleteFilesInOtherTickets(ctx, key, email);
    // Histories contain ratings of many tickets; a rebuild of analytics creates new ones.
    const events = await deleteEventsContaining(this.db, ctx.organization_id, email, ticketHistories.type);
    await this.db.forTenant(ctx, async (tx) => {
      if (!(await requestOthers(tx, ctx, key, email, events))) return;
      this.jobs.add(tx, systemContext(null, ctx.request_id), pruneExports, {}, { id: key.id });
      this.jobs.add(tx, systemContext(null, ctx.request_id), pruneImports, {}, { id: key.id });
    });
  }

  /** The address; undefined if there is nothing to do. */
  async #start(tx: TicketsTx, key: ErasureKey): Promise<string | undefined> {
    const row = await findErasureForUpdate(tx, key);
    if (!row?.sealed_email || row.is_requested || Date.parse(row.starts_at) > Date.now()) return undefined;
    if (row.state === 'scheduled') await saveErasure(tx, key, { state: 'running' });
    return this.secrets.open(erasurePurpose, row.sealed_email);
  }

  /** Whether there were any. */
  async #deleteBatch(ctx: TenantContext, key: ErasureKey, email: string): Promise<boolean> {
    const next = await this.db.readTenant(ctx, (tx) => findTicketsOfCustomer(tx, email, batch));
    if (next.length === 0) return false;
    const remains: ErasureRemain[] = next.some(({ is_linked }) => is_linked) ? ['task_tool'] : [];
    await deleteTickets(
      { db: this.db, storage: this.storage },
      ctx,
      next.map(({ id }) => id),
      {
        keep_figures: true,
        erasure_id: key.id,
        within: (tx, deleted) => count(tx, key, countsOf(deleted), remains),
      },
    );
    return true;
  }

  /** Before their comments: without a comment, they would belong to the other customer's description. */
  async #deleteFilesInOtherTickets(ctx: TenantContext, key: ErasureKey, email: string): Promise<void> {
    const others = await this.db.readTenant(ctx, (tx) => findOtherTickets(tx, email));
    if (others.length === 0) return;
    const { db, storage } = this;
    const files = await removeFiles({ db, storage }, ctx, (tx) => findFilesInOtherTickets(tx, email, others, batch));
    if (files > 0) await db.forTenant(ctx, (tx) => count(tx, key, { files }, []));
  }

  @Consumes(erasureAnswers, { name: 'erasure-answers', from: 'beginning' })
  async onAnswer(ctx: TenantContext, data: Answered, tx: TicketsTx, { type }: Pick<Envelope, 'type'>): Promise<void> {
    const key = { organization_id: ctx.organization_id, id: data.erasure_id };
    const row = await findErasureForUpdate(tx, key);
    if (row?.state !== 'running') return;
    const answers = { ...noAnswers, ...row.answers, [type.split('.')[0] as ServiceName]: data.erased };
    const remains = union(row.remains, data.remains);
    if (!hasEveryAnswer(answers)) return saveErasure(tx, key, { answers, remains });
    await saveErasure(tx, key, {
      answers,
      remains,
      state: 'done',
      finished_at: new Date().toISOString(),
      sealed_email: null,
      email_hash: null,
    });
    await deleteEventsAbout(tx, key);
    await emit(tx, ctx, erasureChanged, key.id, { what: 'finished', tickets: row.ticket_count });
  }
}

const countsOf = ({ ticket_ids, ...counts }: DeletedTickets): Counts => ({
  tickets: ticket_ids.length,
  ...counts,
});

async function count(tx: TicketsTx, key: ErasureKey, counts: Counts, remains: ErasureRemain[]): Promise<void> {
  const row = (await findErasureForUpdate(tx, key))!;
  await saveErasure(tx, key, {
    ticket_count: row.ticket_count + (counts.tickets ?? 0),
    answers: { ...row.answers, tickets: addCounts(row.answers.tickets ?? {}, counts) },
    remains: union(row.remains, remains),
  });
}

/** Deletes what belongs to no ticket of the customer, and sends the request to the other services. False if it was sent before. */
async function requestOthers(tx: TicketsTx, ctx: TenantContext, key: ErasureKey, email: string, events: number): Promise<boolean> {
  const { organization_id } = key;
  const row: StoredErasure = (await findErasureForUpdate(tx, key))!;
  if (row.is_requested) return false;
  const others = await findOtherTickets(tx, email);
  const comments = others.length > 0 ? await eraseInOtherTickets(tx, email, others) : 0;
  await eraseInHistory(tx, organization_id, email);
  const exports = await deleteExports(tx, organization_id);
  await endImports(tx, organization_id);
  const traces = await eraseTraces(tx, organization_id, email);
  await count(tx, key, { comments, exports, events, ...traces }, [...always]);
  await saveErasure(tx, key, { is_requested: true });
  await emit(tx, ctx, erasureRequested, key.id, { erasure_id: key.id, email, ticket_count: row.ticket_count });
  return true;
}
