import type { TicketSummary } from '@tandem/contracts';
import type { AppDispatch } from '../../../app/store';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { offerUndo } from '../../../lib/undo';
import { panelApi } from './panel.api';

type Named = Pick<TicketSummary, 'id' | 'ticket_number'>;

/** Sends one request at a time, for the last merge first, because each locks the target. Stops at the first error. */
async function unmerge(dispatch: AppDispatch, merged: readonly Named[], into: Named): Promise<void> {
  for (const [undone, { id }] of merged.toReversed().entries()) {
    const { error } = await dispatch(panelApi.endpoints.unmergeTicket.initiate({ ticket_id: id, into_id: into.id }, { track: false }));
    if (error)
      return notify.problem(
        error,
        undone === 0
          ? t('tickets.panel.couldnt_undo_merge')
          : t('tickets.panel.only_undone_of_count_merges', { undone, count: merged.length }),
      );
  }
  notify.success(
    t('tickets.panel.merge_undone'),
    t('tickets.panel.separate_again', { count: merged.length, ticket_number: merged[0]!.ticket_number }),
  );
}

/** Reports that one or more duplicates were merged into a ticket, and offers to undo the merge. */
export function offerMergeUndo(dispatch: AppDispatch, merged: readonly Named[], into: Named): void {
  const count = merged.length;
  offerUndo(
    t('tickets.panel.merged_into', { count, ticket_number: merged[0]!.ticket_number, target: into.ticket_number }),
    t('tickets.panel.conversations_and_files_were_moved', { count }),
    () => void unmerge(dispatch, merged, into),
  );
}
