import { Controller } from '@nestjs/common';
import {
  AppError,
  createTicket,
  readTicket,
  ticketCreated,
  ticketEtag,
  updateTicket,
  type Context,
  type InputOf,
  type Ticket,
  type UpdateTicket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { ConcurrencyLimit } from '@tandem/platform';
import { attachFiles } from '../attachment/attachment.store';
import { checkBeforeResolving, valuesOfNewTicket, withFieldValues } from '../custom-field/ticket-values';
import { checkDemoQuota } from '../demo/demo-quota';
import { runRules } from '../rule/rule-engine';
import { scheduleTimeRules } from '../rule/rule-timers';
import type { TicketsSchema, TicketsTx } from '../schema';
import { saveWithTimers, startTimers } from '../sla/sla-timers';
import { actorColumns } from '../timeline/activity.store';
import { computeChange, fieldChanges, monotonicNow, withoutCustomer } from './ticket';
import { emitChange } from './ticket-events';
import {
  findTicketById,
  findTicketForUpdate,
  findMergedInto,
  hasTicket,
  insertQuietTicket,
  insertTicket,
  isActiveMember,
} from './ticket.store';
import type { StoredTicket, NewTicket, TicketChange } from './ticket-fields';

const ticketMissing = () => new AppError('ticket.not_found');

/** Ticket operations of staff. */
@Controller()
export class TicketService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(createTicket)
  create(ctx: Context, { body }: InputOf<typeof createTicket>): Promise<Ticket> {
    return openTicket(this.db, ctx, body, async (tx, ticket) => storeResponse(tx, ticket));
  }

  @Handles(readTicket)
  read(ctx: Context, { params }: InputOf<typeof readTicket>): Promise<Ticket> {
    return this.db.readTenant(ctx, (tx) => getTicket(tx, params.id), { isPrepared: true });
  }

  @Handles(updateTicket)
  update(ctx: Context, { params, body, if_match }: InputOf<typeof updateTicket>): Promise<Ticket> {
    return this.db.forTenant(ctx, async (tx) => storeResponse(tx, await changeTicket(tx, ctx, params.id, body, { if_match })));
  }
}

export async function getTicket(tx: TicketsTx, id: string): Promise<Ticket> {
  const ticket = await findTicketById(tx, id);
  if (!ticket) throw ticketMissing();
  return ticket;
}

export async function getTicketForUpdate(tx: TicketsTx, id: string): Promise<StoredTicket> {
  const ticket = await findTicketForUpdate(tx, id);
  if (!ticket) throw ticketMissing();
  return ticket;
}

/** Throws if there is no such ticket, without reading it. */
export async function checkTicket(tx: TicketsTx, id: string): Promise<void> {
  if (!(await hasTicket(tx, id))) throw ticketMissing();
}

/** How long to wait, and how often to check, for identity's event with the organization's ticket prefix. */
const prefixWaitMs = 2_000;
const prefixPauseMs = 50;

/**
 * Creates of an organization would wait for the lock of its counter of ticket numbers anyway, each with a connection of the pool that all
 * organizations share, and PostgreSQL needs CPU time for each that waits: with 16 concurrent creates, 3.5 ms per ticket without this limit and
 * 2.3 ms with it (2 × AMD EPYC). For creates of requests: emails, imports and follow-ups create tickets within transactions of their own. One
 * that has waited for a second continues to wait in PostgreSQL.
 */
const creates = new ConcurrencyLimit({ maxConcurrent: 3, maxWaitMs: 1_000 });

/**
 * Opens a ticket: number, row and event in one transaction. The event about a new organization may not have arrived from identity yet. Then
 * it waits outside any transaction, and finally answers 503 with `Retry-After`, because a wrong number prefix could not be corrected.
 * `answer` runs in the same transaction, so if it fails no ticket is created.
 */
export async function openTicket<T>(
  db: Database<TicketsSchema>,
  ctx: Context,
  input: NewTicket,
  answer: (tx: TicketsTx, ticket: Ticket) => Promise<T>,
): Promise<T> {
  const { organization_id } = ctx;
  if (organization_id === null) throw new AppError('organization.required');
  const write = async (tx: TicketsTx) => {
    const ticket = await writeTicket(tx, ctx, input, new Date().toISOString());
    return ticket && { data: await answer(tx, ticket) };
  };
  for (const deadline = Date.now() + prefixWaitMs; ; await new Promise((resolve) => setTimeout(resolve, prefixPauseMs))) {
    const answered = await creates.run(organization_id, () => db.forTenant(ctx, write));
    if (answered) return answered.data;
    if (Date.now() >= deadline)
      throw new AppError('service.unavailable', { retryAfterSeconds: 2, detail: 'Your organization is still being set up.' });
  }
}

/** The default channel if the caller did not set one. */
const defaultChannel = ({ actor }: Context): Ticket['channel'] =>
  ({ user: 'staff', token: 'api', customer: 'portal', 'task-tool': null, system: null } as const)[actor.type];

/** Undefined if the organization's prefix is not known here yet; nothing is written then. */
export async function writeTicket(
  tx: TicketsTx,
  ctx: Context,
  { quiet, form, attachment_ids = [], ...fields }: NewTicket,
  now: string,
  id = newId(),
): Promise<Ticket | undefined> {
  if (ctx.organization_id === null) throw new AppError('organization.required');
  const channel = fields.channel ?? defaultChannel(ctx);
  const created = await insertTicket(
    tx,
    {
      ...fields,
      custom_fields: await valuesOfNewTicket(tx, { ...fields, form }),
      cc: withoutCustomer(fields.cc ?? [], fields.customer_email),
      channel,
      organization_id: ctx.organization_id,
      id,
      created_at: now,
    },
    actorColumns(ctx),
  );
  if (!created) return undefined;
  await checkDemoQuota(tx, ctx, created.ticket.description);
  const ticket = created.policy ? await startTimers(tx, created.ticket, created.policy, now) : created.ticket;
  await attachFiles(tx, ctx, attachment_ids, { ticket_id: ticket.id, comment_id: null });
  await emit(tx, ctx, ticketCreated, ticket.id, { ticket, ...(quiet && { quiet }) });
  if (quiet) await insertQuietTicket(tx, ticket);
  await scheduleTimeRules(tx, ticket);
  return runRules(tx, ctx, ticket, { triggers: ['ticket_created'], changes: {}, quiet: quiet ?? false, isNew: true });
}

/** Changes a ticket field by field and announces the changes; a patch without effect writes and announces nothing. */
export async function changeTicket(
  tx: TicketsTx,
  ctx: Context,
  id: string,
  patch: UpdateTicket,
  options: { if_match?: string; now?: string } = {},
): Promise<Ticket> {
  const before = await getTicketForUpdate(tx, id);
  assertNotAnonymized(before);
  if (options.if_match !== undefined && options.if_match !== ticketEtag(before)) throw new AppError('ticket.changed');
  const now = monotonicNow(before.updated_at, options.now);
  const change = computeChange(before, await withFieldValues(tx, before, patch), now);
  if (!change) return getTicket(tx, id);
  await checkBeforeResolving(tx, ctx, before, change);
  if (change.status) await assertNotMerged(tx, before);
  await checkAssignee(tx, change, 'assigned_to');
  const ticket = await saveWithTimers(tx, ctx, before, change, now);
  await emitChange(tx, ctx, before, ticket);
  return runRules(tx, ctx, ticket, { triggers: ['ticket_updated'], changes: fieldChanges(before, ticket) });
}

export const notAMember = (path: string) =>
  new AppError('assignee.not_a_member', {
    fields: [{ path, code: 'not_a_member', message: 'Not an active member of this organization' }],
  });

/** An assignee must be an active member. `path` is the request field to name in the error. */
export async function checkAssignee(tx: TicketsTx, change: TicketChange, path: string): Promise<void> {
  if (change.assigned_to && !(await isActiveMember(tx, change.assigned_to))) throw notAMember(path);
}

/** A merged ticket stays closed, and its conversation continues in the target. */
export async function assertNotMerged(tx: TicketsTx, ticket: Pick<Ticket, 'merged_into_id'>): Promise<void> {
  if (ticket.merged_into_id === null) return;
  const into = await findMergedInto(tx, ticket.merged_into_id);
  throw new AppError('ticket.locked', { detail: `This ticket was merged into ${into?.ticket_number}. Continue there.` });
}

/** An anonymized ticket has no customer who could be answered, and new texts could name the former one. */
export function assertNotAnonymized({ anonymized_at }: Pick<Ticket, 'anonymized_at'>): void {
  if (anonymized_at === null) return;
  throw new AppError('ticket.locked', { detail: 'This ticket was anonymized. It has no customer, and it can no longer be changed.' });
}
