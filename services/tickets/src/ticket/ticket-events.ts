import {
  ticketAssigned,
  ticketClosed,
  ticketReopened,
  ticketResolved,
  ticketSnoozed,
  ticketUpdated,
  ticketWoken,
  type Changes,
  type Context,
  type Ticket,
} from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { checkDemoQuota } from '../demo/demo-quota';
import type { TicketsTx } from '../schema';
import { recordActivity } from '../timeline/activity.store';
import { fieldChanges, reminderChanges, snoozeChanges, specificEvents, watcherChanges, type SpecificEvent } from './ticket';
import type { StoredTicket } from './ticket-fields';

const closingEvents = { resolved: ticketResolved, closed: ticketClosed };

/**
 * Emits `ticket.updated` and adds a timeline entry if a field changed, then emits the specific events. Watchers do not appear in the
 * timeline, and the finished-task reminder only where `noteFinished` is called.
 */
export async function emitChange(
  tx: TicketsTx,
  ctx: Context,
  before: StoredTicket,
  ticket: Ticket,
  /** Whether the change is made together with a public staff comment. */
  with_reply = false,
): Promise<void> {
  const changed = fieldChanges(before, ticket);
  if (Object.keys(allChanges(before, ticket)).length === 0) return;
  await checkDemoQuota(tx, ctx, ticket.description);
  if (Object.keys(changed).length > 0) recordActivity(tx, ctx, ticket, 'changed', changed, ticket.updated_at);
  await emitUpdate(tx, ctx, before, { ticket, with_reply });
}

const allChanges = (before: StoredTicket, ticket: Ticket): Changes => ({
  ...fieldChanges(before, ticket),
  ...watcherChanges(before, ticket),
  ...reminderChanges(before, ticket),
  ...snoozeChanges(before, ticket),
});

/** Emits `ticket.updated` if a field changed, and the specific events, without a timeline entry. */
export async function emitUpdate(
  tx: TicketsTx,
  ctx: Context,
  before: StoredTicket,
  { ticket, with_reply }: { ticket: Ticket; with_reply: boolean },
): Promise<void> {
  const changes = allChanges(before, ticket);
  if (Object.keys(changes).length === 0) return;
  await emit(tx, ctx, ticketUpdated, ticket.id, { ticket, changes, with_reply });
  for (const event of specificEvents(before, ticket)) await emitSpecificEvent(tx, ctx, event, before, { ticket, with_reply });
}

function emitSpecificEvent(
  tx: TicketsTx,
  ctx: Context,
  event: SpecificEvent,
  before: StoredTicket,
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
  before: StoredTicket,
  ticket: Ticket,
): Promise<void> {
  const changes: Changes = event === 'woken' ? {} : { snoozed_until: { from: before.snoozed_until, to: ticket.snoozed_until } };
  recordActivity(tx, ctx, ticket, event, changes, ticket.updated_at);
  return emit(tx, ctx, event === 'woken' ? ticketWoken : ticketSnoozed, ticket.id, { ticket });
}
