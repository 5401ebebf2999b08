import type { Ticket, TicketSummary, UpdateTicket } from '@tandem/contracts';
import { priorityLabels, statusLabels } from '@tandem/contracts/values';
import { nameOf } from '../../lib/names';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { offerUndo } from '../../lib/undo';

type Known = Ticket | TicketSummary;
/** A field that `tickets.update` may change. */
type Field = keyof UpdateTicket & keyof TicketSummary;

const ccOf = (known: Known): string[] => ('cc' in known ? known.cc : []);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function addedAndRemoved(before: string[], after: string[]): string {
  const added = after.filter((tag) => !before.includes(tag)).map((tag) => t('tickets.added_tag', { tag }));
  const removed = before.filter((tag) => !after.includes(tag)).map((tag) => t('tickets.removed_tag', { tag }));
  return [...added, ...removed].join(', ');
}

const texts: Record<string, (before: Known, after: Known) => string> = {
  cc: (before, after) => t('tickets.cc_changed', { changes: addedAndRemoved(ccOf(before), ccOf(after)) }),
  status: (before, after) => `${statusLabels[before.status]} → ${statusLabels[after.status]}`,
  priority: (before, after) =>
    t('tickets.priority_changed', { before: priorityLabels[before.priority], after: priorityLabels[after.priority] }),
  assigned_to: (_before, after) =>
    after.assigned_to === null
      ? t('tickets.unassigned')
      : t('tickets.assigned_to', { name: nameOf(after.assignee, t('tickets.teammate')) }),
  subject: () => t('tickets.subject'),
  description: () => t('tickets.description'),
  category: () => t('tickets.category'),
  customer_name: () => t('tickets.customer_name'),
  customer_email: () => t('tickets.customer_email'),
  external_id: () => t('tickets.external_id'),
  language: () => t('tickets.language'),
  tags: (before, after) => t('tickets.tags_changed', { changes: addedAndRemoved(before.tags, after.tags) }),
};

/** 'NOR-1: Open → Resolved'. */
export const changeText = (before: Known, after: Known, fields: readonly Field[]): string =>
  `${after.ticket_number}: ${fields.map((field) => texts[field]?.(before, after) ?? field).join(', ')}`;

interface Answer {
  data?: Ticket;
  error?: unknown;
}
/** The requests to the ticket, which tickets.api.ts passes. */
interface TicketCalls {
  read: () => Promise<Answer>;
  /** Refused with 412 if the ticket no longer has this version. */
  restore: (changes: Partial<Pick<Known, Field>>, shown: Pick<Known, 'assignee'>, version: number) => Promise<Answer>;
}

/** Restores the fields, unless one of them has changed since. */
async function revert(before: Known, after: Known, fields: readonly Field[], calls: TicketCalls): Promise<void> {
  const changedSince = () =>
    notify.error(t('tickets.ticket_number_has_changed_since', { ticket_number: after.ticket_number }), t('tickets.not_undone'));
  const { data: now, error: unread } = await calls.read();
  if (!now) return notify.problem(unread, t('tickets.couldnt_undo_change'));
  if (fields.some((field) => !isSame(now[field], after[field]))) return changedSince();
  const changes = Object.fromEntries(fields.map((field) => [field, before[field]]));
  const { error } = await calls.restore(changes, { assignee: before.assignee }, now.version);
  if (!error) notify.success(t('tickets.change_undone'), changeText(after, before, fields));
  else if (isProblem(error) && error.status === 412) changedSince();
  else notify.problem(error, t('tickets.couldnt_undo_change'));
}

/** Reports a saved change to a ticket, and offers to undo it if the previous values are known. */
export function reportChange(before: Known | undefined, after: Ticket, names: readonly string[], calls: TicketCalls): void {
  const title = names.includes('status') ? t('tickets.ticket_status_updated') : t('tickets.ticket_updated');
  const changed = (names as Field[]).filter((field) => !before || !isSame(before[field], after[field]));
  // A list row has no description.
  if (!before || changed.length === 0 || changed.some((field) => !(field in before))) return notify.success(title);
  offerUndo(title, changeText(before, after, changed), () => void revert(before, after, changed, calls));
}
