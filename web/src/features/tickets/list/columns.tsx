import type { TicketSummary } from '@tandem/contracts';
import type { ListColumn } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Assignee, Category, CommentCount, Created, Customer, Due, Flags, Priority, Status, Tags, Updated } from './row-parts';

interface Column {
  /** Widths in rem: in a comfortable row, which has words, and in a compact one, which has icons where possible. */
  widths: { comfortable: number; compact: number };
  render: (ticket: TicketSummary, withWords: boolean) => ReactNode;
}

export const columns: Record<ListColumn, Column> = {
  status: { widths: { comfortable: 9.5, compact: 0.875 }, render: (ticket, withWord) => <Status ticket={ticket} withWord={withWord} /> },
  priority: { widths: { comfortable: 5, compact: 0.875 }, render: (ticket, withWord) => <Priority ticket={ticket} withWord={withWord} /> },
  customer: { widths: { comfortable: 9, compact: 9 }, render: (ticket) => <Customer ticket={ticket} className="max-w-full" /> },
  due: { widths: { comfortable: 8, compact: 7 }, render: (ticket) => <Due ticket={ticket} /> },
  assignee: { widths: { comfortable: 8.5, compact: 1.25 }, render: (ticket, withName) => <Assignee ticket={ticket} withName={withName} /> },
  flags: {
    widths: { comfortable: 8.5, compact: 1 },
    render: (ticket, withLabels) => (
      <span className="flex max-w-full min-w-0 gap-2 empty:hidden">
        <Flags ticket={ticket} withLabels={withLabels} />
      </span>
    ),
  },
  created: { widths: { comfortable: 4.25, compact: 3.75 }, render: (ticket) => <Created ticket={ticket} /> },
  comments: { widths: { comfortable: 3, compact: 2 }, render: (ticket) => <CommentCount ticket={ticket} /> },
  category: { widths: { comfortable: 7, compact: 6 }, render: (ticket) => <Category ticket={ticket} /> },
  tags: { widths: { comfortable: 8, compact: 8 }, render: (ticket) => <Tags ticket={ticket} /> },
  updated: { widths: { comfortable: 5.25, compact: 5.25 }, render: (ticket) => <Updated ticket={ticket} /> },
};

/** The subject keeps this width; columns become narrower if there is less space. */
const subject = 'minmax(14rem,1fr)';
const track = (rem: number) => `minmax(0,${rem}rem)`;
/** Shows the whole number of a ticket, whose prefix and digits differ in length between organizations. */
const numberTrack = (number: string) => `${Math.max(4.25, number.length / 2)}rem`;

/** Icons before the number of a compact row. */
const icons: readonly ListColumn[] = ['status', 'priority'];
/** Marks after the subject of a compact row, without a fixed width. */
const marks: readonly ListColumn[] = ['flags', 'comments'];

/** The columns of a compact row: icons, marks, and the rest in the user's order. */
export function compactColumns(chosen: readonly ListColumn[], number: string) {
  const leading = chosen.filter((name) => icons.includes(name));
  const others = chosen.filter((name) => !icons.includes(name) && !marks.includes(name));
  return {
    icons: leading,
    marks: chosen.filter((name) => marks.includes(name)),
    others,
    template: [
      '0.875rem',
      ['0', '0.875rem', '2.25rem'][leading.length],
      numberTrack(number),
      subject,
      'auto',
      ...others.map((name) => track(columns[name].widths.compact)),
      '1.75rem',
    ].join(' '),
  };
}

/** The columns of a comfortable row, two below each other, in the user's order. */
export function comfortableColumns(chosen: readonly ListColumn[], number: string) {
  const pairs = Array.from({ length: Math.ceil(chosen.length / 2) }, (_, index) => chosen.slice(index * 2, index * 2 + 2));
  const widths = pairs.map((pair) => track(Math.max(...pair.map((name) => columns[name].widths.comfortable))));
  return { pairs, template: ['0.875rem', numberTrack(number), subject, ...widths, '1.75rem'].join(' ') };
}
