import { Controller } from '@nestjs/common';
import {
  AppError,
  createTicket,
  readTicket,
  ticketAssigned,
  ticketClosed,
  ticketCreated,
  ticketReopened,
  ticketResolved,
  ticketEtag,
  ticketSnoozed,
  ticketUpdated,
  ticketWoken,
  updateTicket,
  type Changes,
  type Context,
  type InputOf,
  type Ticket,
  type UpdateTicket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { attachFiles } from '../attachment/attachment.store';
import { checkDemoQuota } from '../demo/demo-quota';
import type { TicketsSchema, TicketsTx } from '../schema';
import { saveWithTimers, startTimers } from '../sla/sla-timers';
import { actorColumns, recordActivity } from '../timeline/activity.store';
import {
  specificEvents,
  fieldChanges,
  computeChange,
  reminderChanges,
  monotonicNow,
  snoozeChanges,
  watcherChanges,
  withoutCustomer,
  type SpecificEvent,
} from './ticket';
import { findTicketById, findTicketForUpdate, findMergedInto, hasTicket, insertTicket, isActiveMember } from './ticket.store';
import type { NewTicket, TicketChange } from './ticket-fields';

const ticketMissing = () => new AppError('ticket.not_found');
const closingEvents = { resolved: ticketResolved, closed: ticketClosed };

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

export async function getTicketForUpdate(tx: TicketsTx, id: string): Promise<Omit<Ticket, 'assignee'>> {
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
  for (const deadline = Date.now() + prefixWaitMs; ; await new Promise((resolve) => setTimeout(resolve, prefixPauseMs))) {
    const answered = await db.forTenant(ctx, async (tx) => {
      const ticket = await writeTicket(tx, ctx, input, new Date().toISOString());
      return ticket && { data: await answer(tx, ticket) };
    });
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
  { quiet, attachment_ids = [], ...fields }: NewTicket,
  now: string,
  id = newId(),
): Promise<Ticket | undefined> {
  if (ctx.organization_id === null) throw new AppError('organization.required');
  const channel = fields.channel ?? defaultChannel(ctx);
  const created = await insertTicket(
    tx,
    {
      ...fields,
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
  return ticket;
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
  if (options.if_match !== undefined && options.if_match !== ticketEtag(before)) throw new AppError('ticket.changed');
  const now = monotonicNow(before.updated_at, options.now);
  const change = computeChange(before, patch, now);
  if (!change) return getTicket(tx, id);
  if (change.status) await assertNotMerged(tx, before);
  await checkAssignee(tx, change, 'assigned_to');
  const ticket = await saveWithTimers(tx, ctx, before, change, now);
  await emitChange(tx, ctx, before, ticket);
  return ticket;
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

/**
 * Emits `ticket.updated` and adds a timeline entry if a field changed, then emits the specific events. Watchers do not appear in the
 * timeline, and the finished-task reminder only where `noteFinished` is called.
 */
export async function emitChange(
  tx: TicketsTx,
  ctx: Context,
  before: Omit<Ticket, 'assignee'>,
  ticket: Ticket,
  /** Whether the change is made together with a public staff comment. */
  with_reply = false,
): Promise<void> {
  const changed = fieldChanges(before, ticket);
  const changes = { ...changed, ...watcherChanges(before, ticket), ...reminderChanges(before, ticket), ...snoozeChanges(before, ticket) };
  if (Object.keys(changes).length === 0) return;
  await checkDemoQuota(tx, ctx, ticket.description);
  if (Object.keys(changed).length > 0) await recordActivity(tx, ctx, ticket, 'changed', changed, ticket.updated_at);
  await emit(tx, ctx, ticketUpdated, ticket.id, { ticket, changes, with_reply });
  for (const event of specificEvents(before, ticket)) await emitSpecificEvent(tx, ctx, event, before, { ticket, with_reply });
}

function emitSpecificEvent(
  tx: TicketsTx,
  ctx: Context,
  event: SpecificEvent,
  before: Omit<Ticket, 'assignee'>,
  { ticket, with_reply }: { ticket: Ticket; with_reply: boolean },
): Promise<void> {
  if (event === 'assigned') return emit(tx, ctx, ticketAssigned, ticket.id, { ticket, from: before.assigned_to });
  if (event === 'reopened') return emit(tx, ctx, ticketReopened, ticket.id, { ticket });
  if (event === 'snoozed' || event === 'woken') return announceSnooze(tx, ctx, event, before, ticket);
  return emit(tx, ctx, closingEvents[event], ticket.id, { ticket, with_reply });
}

/** A snooze has its own kind of entry in the timeline, because clients cannot change its fields. */
async function announceSnooze(
  tx: TicketsTx,
  ctx: Context,
  event: 'snoozed' | 'woken',
  before: Omit<Ticket, 'assignee'>,
  ticket: Ticket,
): Promise<void> {
  const changes: Changes = event === 'woken' ? {} : { snoozed_until: { from: before.snoozed_until, to: ticket.snoozed_until } };
  await recordActivity(tx, ctx, ticket, event, changes, ticket.updated_at);
  return emit(tx, ctx, event === 'woken' ? ticketWoken : ticketSnoozed, ticket.id, { ticket });
}
