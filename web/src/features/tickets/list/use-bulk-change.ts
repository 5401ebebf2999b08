import type { Assignee, BulkResult, TicketSummary } from '@tandem/contracts';
import { problems, type ProblemCode } from '@tandem/contracts/values';
import { useStore } from 'react-redux';
import { isClosing } from '../../../app/custom-fields/ticket-values';
import type { AppStore } from '../../../app/store';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { findRows, useChangeTicketsMutation } from './ticket-list.api';
import { resolvedAt } from '../tickets.api';
import type { ApplyBulkChange, BulkOutcome, Changes } from './undo-bulk-change';

export type { Changes };

/** The contract's limit per call, and the maximum per click: a user has 100 calls per minute. */
const atOnce = 100;
export const maxSelected = 1_000;

/** The values that a row shows until the server responds. */
const shownAs =
  ({ add_tags = [], remove_tags = [], ...changes }: Changes, assignee: Assignee | null) =>
  (ticket: TicketSummary): Partial<TicketSummary> => ({
    ...(changes.status ? { status: changes.status, ...resolvedAt(changes.status) } : {}),
    ...(changes.priority ? { priority: changes.priority } : {}),
    ...(changes.assigned_to === undefined ? {} : { assigned_to: changes.assigned_to, assignee }),
    ...(add_tags.length + remove_tags.length > 0
      ? { tags: [...new Set([...ticket.tags, ...add_tags])].filter((tag) => !remove_tags.includes(tag)) }
      : {}),
  });

/** For a status, no other value of a bulk change can be invalid. */
const lacksFields = ({ code }: BulkResult, { status }: Changes) => code === 'request.invalid' && isClosing(status);
const isKnown = (code: string): code is ProblemCode => code in problems;
const reasonOf = (code: string | null) => (code && isKnown(code) ? problems[code].title : t('tickets.list.couldnt_change_ticket'));

/** Reports the result in one sentence, with each distinct reason once, and offers to undo what was changed. */
function showResult({ results, refusal }: BulkOutcome, changes: Changes, asked: number, offer: (title: string) => void): void {
  const changed = results.filter(({ ticket }) => ticket !== null).length;
  const incomplete = results.filter((result) => lacksFields(result, changes)).length;
  const others = results.filter((result) => result.ticket === null && !lacksFields(result, changes));
  const reasons = [
    ...(incomplete > 0 ? [t('tickets.list.lack_required_fields', { count: incomplete })] : []),
    ...new Set([...others.map(({ code }) => reasonOf(code)), ...(refusal ? [refusal] : [])]),
  ];
  if (changed > 0) offer(t('tickets.list.changed', { changed }));
  if (changed < asked)
    notify.error(t('tickets.list.changed_and_failed', { changed, failed: asked - changed, reasons: reasons.join('. ') }));
}

/** Applies one change to all selected tickets, a hundred per call, and shows it immediately. */
export function useBulkChange() {
  const store = useStore() as AppStore;
  const [change, { isLoading }] = useChangeTicketsMutation();
  const send: ApplyBulkChange = async (ids, changes, assignee) => {
    const results: BulkResult[] = [];
    let refusal: string | undefined;
    for (let from = 0; from < ids.length && refusal === undefined; from += atOnce) {
      const answer = await change({ ids: ids.slice(from, from + atOnce), changes, shown: shownAs(changes, assignee) });
      if (answer.error) refusal = messageOf(answer.error, t('tickets.list.please_try_again'));
      else results.push(...answer.data);
    }
    return { results, refusal };
  };
  const apply = async (ids: string[], changes: Changes, assignee: Assignee | null = null) => {
    const chosen = ids.slice(0, maxSelected);
    const before = findRows(store, chosen);
    const outcome = await send(chosen, changes, assignee);
    const { offerBulkUndo } = await import('./undo-bulk-change');
    const offer = (title: string) => offerBulkUndo({ title, results: outcome.results, before, changes, assignee, store, send });
    showResult(outcome, changes, chosen.length, offer);
  };
  return { apply, isLoading };
}
