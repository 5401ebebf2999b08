import type { Assignee, BulkChange, BulkResult, TicketSummary } from '@tandem/contracts';
import { problems, type ProblemCode } from '@tandem/contracts/values';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { useChangeTicketsMutation } from './ticket-list.api';
import { resolvedAt } from '../tickets.api';

export type Changes = BulkChange['changes'];
/** The contract's limit per call, and the maximum per click: a user has 100 calls per minute. */
const atOnce = 100;
export const maxSelected = 1_000;

/** What a row shows until the server responds. */
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

const tickets = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'ticket' : 'tickets'}`;
const isKnown = (code: string): code is ProblemCode => code in problems;
const reasonOf = (code: string | null) => (code && isKnown(code) ? problems[code].title : 'Couldn’t change the ticket');

/** Reports the result in one sentence, with each distinct reason once. */
function showResult(results: readonly BulkResult[], refusal: string | undefined, asked: number): void {
  const changed = results.filter(({ ticket }) => ticket !== null).length;
  const reasons = [
    ...new Set([...results.filter(({ ticket }) => ticket === null).map(({ code }) => reasonOf(code)), ...(refusal ? [refusal] : [])]),
  ];
  if (changed === asked) notify.success(`${tickets(changed)} changed`);
  else
    notify.error(`${changed.toLocaleString('en-US')} changed, ${(asked - changed).toLocaleString('en-US')} failed: ${reasons.join('. ')}`);
}

/** Applies one change to all selected tickets, a hundred per call, and shows it immediately. */
export function useBulkChange() {
  const [change, { isLoading }] = useChangeTicketsMutation();
  const apply = async (ids: string[], changes: Changes, assignee: Assignee | null = null) => {
    const results: BulkResult[] = [];
    let refusal: string | undefined;
    const chosen = ids.slice(0, maxSelected);
    for (let from = 0; from < chosen.length && refusal === undefined; from += atOnce) {
      const answer = await change({ ids: chosen.slice(from, from + atOnce), changes, shown: shownAs(changes, assignee) });
      if (answer.error) refusal = messageOf(answer.error, 'Please try again');
      else results.push(...answer.data);
    }
    showResult(results, refusal, chosen.length);
  };
  return { apply, isLoading };
}
