import type { Assignee, BulkChange, BulkResult, TicketSummary } from '@tandem/contracts';
import { priorityLabels, statusLabels } from '@tandem/contracts/values';
import type { AppStore } from '../../../app/store';
import { nameOf } from '../../../lib/names';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { offerUndo } from '../../../lib/undo';
import { findRows } from './ticket-list.api';

export type Changes = BulkChange['changes'];
export interface BulkOutcome {
  results: BulkResult[];
  /** Why no further calls were made. */
  refusal: string | undefined;
}
/** Applies a change, a hundred tickets per call. */
export type ApplyBulkChange = (ids: string[], changes: Changes, assignee: Assignee | null) => Promise<BulkOutcome>;

function bulkText({ status, priority, assigned_to, add_tags = [], remove_tags = [] }: Changes, assignee: Assignee | null): string {
  const parts = [
    ...(status ? [t('tickets.list.status_status_name', { statusName: statusLabels[status] })] : []),
    ...(priority ? [t('tickets.list.priority_priority_name', { priorityName: priorityLabels[priority] })] : []),
    ...(assigned_to === undefined
      ? []
      : [
          assigned_to === null
            ? t('tickets.list.unassigned')
            : t('tickets.list.assigned_to_member', { nameOf: nameOf(assignee, t('tickets.list.a_teammate')) }),
        ]),
    ...(add_tags.length > 0 ? [t('tickets.list.added_add_tags', { add_tags: add_tags.join(', ') })] : []),
    ...(remove_tags.length > 0 ? [t('tickets.list.removed_remove_tags', { remove_tags: remove_tags.join(', ') })] : []),
  ];
  return parts.join(' · ');
}

/** The change that restores a ticket. Undefined if it was not changed, or if the same field has changed since. */
export function reverseChange(before: TicketSummary, after: TicketSummary, now: TicketSummary, changes: Changes): Changes | undefined {
  const reverse: Changes = {};
  if (changes.status && before.status !== after.status && now.status === after.status) reverse.status = before.status;
  if (changes.priority && before.priority !== after.priority && now.priority === after.priority) reverse.priority = before.priority;
  if (changes.assigned_to !== undefined && before.assigned_to !== after.assigned_to && now.assigned_to === after.assigned_to)
    reverse.assigned_to = before.assigned_to;
  const added = after.tags.filter((tag) => !before.tags.includes(tag) && now.tags.includes(tag));
  const removed = before.tags.filter((tag) => !after.tags.includes(tag) && !now.tags.includes(tag));
  if (changes.add_tags && added.length > 0) reverse.remove_tags = added;
  if (changes.remove_tags && removed.length > 0) reverse.add_tags = removed;
  return Object.keys(reverse).length > 0 ? reverse : undefined;
}

interface BulkUndo {
  title: string;
  results: readonly BulkResult[];
  before: ReadonlyMap<string, TicketSummary>;
  changes: Changes;
  assignee: Assignee | null;
  store: AppStore;
  send: ApplyBulkChange;
}

/** Reports a bulk change and offers to undo it: one call per group of tickets that had the same values before. */
export function offerBulkUndo({ title, results, before, changes, assignee, store, send }: BulkUndo): void {
  const undo = async () => {
    const rows = findRows(store, before.keys());
    const groups = new Map<string, { ids: string[]; changes: Changes; assignee: Assignee | null }>();
    for (const { id, ticket } of results) {
      const was = before.get(id);
      const after = ticket && was && { ...was, ...ticket };
      const reverse = was && after && reverseChange(was, after, rows.get(id) ?? after, changes);
      if (!reverse) continue;
      const key = JSON.stringify(reverse);
      const group = groups.get(key) ?? { ids: [], changes: reverse, assignee: was.assignee };
      groups.set(key, group);
      group.ids.push(id);
    }
    let restored = 0;
    let refusal: string | undefined;
    for (const group of groups.values()) {
      const outcome = await send(group.ids, group.changes, group.assignee);
      restored += outcome.results.filter(({ ticket }) => ticket !== null).length;
      refusal ??= outcome.refusal;
    }
    const expected = [...groups.values()].reduce((sum, { ids }) => sum + ids.length, 0);
    if (expected === 0) notify.error(t('tickets.list.these_tickets_have_changed_since'), t('tickets.list.not_undone'));
    else if (restored < expected)
      notify.error(refusal ?? t('tickets.list.not_restored', { count: expected - restored, expected }), t('tickets.list.not_undone'));
    else notify.success(t('tickets.list.change_undone'), t('tickets.list.restored', { restored }));
  };
  offerUndo(title, bulkText(changes, assignee), () => void undo());
}
