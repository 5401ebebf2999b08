import type { Ticket, TicketSummary, UpdateTicket } from '@tandem/contracts';
import { priorityLabels, statusLabels } from '@tandem/contracts/values';
import { nameOf } from '../../lib/names';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { offerUndo } from '../../lib/undo';

type Known = Ticket | TicketSummary;
/** A field that `tickets.update` may change. */
type Field = keyof UpdateTicket & keyof TicketSummary;

const ccOf = (known: Known): string[] => ('cc' in known ? known.cc : []);

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function addedAndRemoved(before: string[], after: string[]): string {
  const added = after.filter((tag) => !before.includes(tag)).map((tag) => `added ${tag}`);
  const removed = before.filter((tag) => !after.includes(tag)).map((tag) => `removed ${tag}`);
  return [...added, ...removed].join(', ');
}

const texts: Partial<Record<Field | 'cc', (before: Known, after: Known) => string>> = {
  cc: (before, after) => `Cc: ${addedAndRemoved(ccOf(before), ccOf(after))}`,
  status: (before, after) => `${statusLabels[before.status]} → ${statusLabels[after.status]}`,
  priority: (before, after) => `priority ${priorityLabels[before.priority]} → ${priorityLabels[after.priority]}`,
  assigned_to: (_before, after) => (after.assigned_to === null ? 'unassigned' : `assigned to ${nameOf(after.assignee, 'a teammate')}`),
  tags: (before, after) => `tags: ${addedAndRemoved(before.tags, after.tags)}`,
};

/** 'NOR-1: Open → Resolved'. */
export const changeText = (before: Known, after: Known, fields: readonly Field[]): string =>
  `${after.ticket_number}: ${fields.map((field) => texts[field]?.(before, after) ?? field.replace('_', ' ')).join(', ')}`;

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
  const changedSince = () => notify.error(`${after.ticket_number} has changed since. Nothing was undone.`, 'Not undone');
  const { data: now, error: unread } = await calls.read();
  if (!now) return notify.problem(unread, 'Couldn’t undo the change');
  if (fields.some((field) => !isSame(now[field], after[field]))) return changedSince();
  const changes = Object.fromEntries(fields.map((field) => [field, before[field]]));
  const { error } = await calls.restore(changes, { assignee: before.assignee }, now.version);
  if (!error) notify.success('Change undone', changeText(after, before, fields));
  else if (isProblem(error) && error.status === 412) changedSince();
  else notify.problem(error, 'Couldn’t undo the change');
}

/** Reports a saved change of a ticket, and offers to undo it if the previous values are known. */
export function reportChange(before: Known | undefined, after: Ticket, names: readonly string[], calls: TicketCalls): void {
  const title = names.includes('status') ? 'Ticket status updated' : 'Ticket updated';
  const changed = (names as Field[]).filter((field) => !before || !isSame(before[field], after[field]));
  // A list row has no description.
  if (!before || changed.length === 0 || changed.some((field) => !(field in before))) return notify.success(title);
  offerUndo(title, changeText(before, after, changed), () => void revert(before, after, changed, calls));
}
