import type { TicketSummary } from '@tandem/contracts';
import { priorityLabels, statusLabels, ticketPriorities, ticketStatuses, type ListGroup } from '@tandem/contracts/values';
import { lazyFormat } from '../../../lib/lazy-format';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';

type Row = TicketSummary;

export interface GroupHeading {
  label: string;
  count: number;
}
export interface GroupedRows {
  tickets: readonly Row[];
  /** The heading of each group, by the id of its first ticket. */
  headings: ReadonlyMap<string, GroupHeading>;
}

interface GroupOf {
  label: string;
  /** Groups are in the order of their ranks. */
  rank: string | number;
}

const day = lazyFormat(() => new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'short', day: 'numeric' }));
const dayMs = 86_400_000;

/** In the reader's time zone, like the due times on the rows. */
function dueGroup({ status, next_due_at, sla_paused_since }: Row, now: number): GroupOf {
  if (status === 'resolved' || status === 'closed' || (next_due_at === null && sla_paused_since === null))
    return { label: t('tickets.list.no_due_date'), rank: Infinity };
  if (next_due_at === null) return { label: t('tickets.list.paused'), rank: Number.MAX_VALUE };
  const due = new Date(next_due_at);
  if (due.getTime() <= now) return { label: t('tickets.list.overdue'), rank: -1 };
  const midnight = new Date(due).setHours(0, 0, 0, 0);
  // Rounded, because a day on which the clocks change is shorter or longer.
  const days = Math.round((midnight - new Date(now).setHours(0, 0, 0, 0)) / dayMs);
  return { label: days === 0 ? t('tickets.list.today') : days === 1 ? t('tickets.list.tomorrow') : day().format(due), rank: days };
}

const groupOf: Record<ListGroup, (ticket: Row, now: number) => GroupOf> = {
  status: ({ status }) => ({ label: statusLabels[status], rank: ticketStatuses.indexOf(status) }),
  priority: ({ priority }) => ({ label: priorityLabels[priority], rank: -ticketPriorities.indexOf(priority) }),
  assignee: ({ assigned_to, assignee }) => {
    if (assigned_to === null) return { label: t('tickets.list.unassigned'), rank: '' };
    const label = nameOf(assignee);
    // Includes the id, so that two members with the same name have separate groups.
    return { label, rank: `${label.toLowerCase()} ${assigned_to}` };
  },
  due: dueGroup,
};

/** The ranks of one list are either all names or all numbers. */
const compareRanks = (one: string | number, other: string | number): number =>
  typeof one === 'string' ? one.localeCompare(String(other), 'en') : one < Number(other) ? -1 : 1;

/**
 * Arranges the loaded rows in groups, each in the order of the list, without a request. Rows of a page that loads later are added to
 * their groups.
 */
export function groupRows(tickets: readonly Row[], by: ListGroup | null, now: number): GroupedRows {
  if (!by) return { tickets, headings: new Map() };
  const groups = new Map<string | number, GroupHeading & { rows: Row[] }>();
  for (const ticket of tickets) {
    const { label, rank } = groupOf[by](ticket, now);
    const group = groups.get(rank) ?? { label, count: 0, rows: [] };
    group.rows.push(ticket);
    group.count += 1;
    groups.set(rank, group);
  }
  const inOrder = [...groups].sort(([one], [other]) => compareRanks(one, other)).map(([, group]) => group);
  return {
    tickets: inOrder.flatMap(({ rows }) => rows),
    headings: new Map(inOrder.map(({ rows, label, count }) => [rows[0]!.id, { label, count }])),
  };
}
