import type { TicketSummary } from '@tandem/contracts';
import type { AppDispatch } from '../../../app/store';
import { notify } from '../../../lib/notify';
import { offerUndo } from '../../../lib/undo';
import { panelApi } from './panel.api';

type Named = Pick<TicketSummary, 'id' | 'ticket_number'>;

const nameOf = (tickets: readonly Named[]): string => (tickets.length === 1 ? tickets[0]!.ticket_number : `${tickets.length} tickets`);

/** One request after another, the last merge first, because each locks the target. Stops at the first error. */
async function unmerge(dispatch: AppDispatch, merged: readonly Named[], into: Named): Promise<void> {
  for (const [undone, { id }] of merged.toReversed().entries()) {
    const { error } = await dispatch(panelApi.endpoints.unmergeTicket.initiate({ ticket_id: id, into_id: into.id }, { track: false }));
    if (error) return notify.problem(error, undone === 0 ? 'Couldn’t undo the merge' : `Only ${undone} of ${merged.length} merges undone`);
  }
  notify.success(
    'Merge undone',
    merged.length === 1 ? `${nameOf(merged)} is a separate ticket again` : `${nameOf(merged)} are separate again`,
  );
}

/** Reports that duplicates, at least one, were merged into a ticket, and offers to undo it. */
export function offerMergeUndo(dispatch: AppDispatch, merged: readonly Named[], into: Named): void {
  const verb = merged.length === 1 ? 'was' : 'were';
  const moved = merged.length === 1 ? 'The conversation and files were moved.' : 'The conversations and files were moved.';
  offerUndo(`${nameOf(merged)} ${verb} merged into ${into.ticket_number}`, moved, () => void unmerge(dispatch, merged, into));
}
