import { cn } from '../../../lib/cn';
import {
  Assignee,
  Created,
  Customer,
  Due,
  Flags,
  Priority,
  rowClasses,
  SelectBox,
  Status,
  Subject,
  TicketNumber,
  UnreadMark,
  type RowProps,
} from './row-parts';

/** 56 px, two lines: next to an open ticket. */
export function BesideRow({ onMouseEnter, ...props }: RowProps) {
  const { ticket } = props;
  const row = { ...props, onMouseEnter };
  return (
    <div className={cn(rowClasses(row), 'flex h-14 flex-col justify-center gap-0.5 overflow-hidden pr-3 pl-4')} onMouseEnter={onMouseEnter}>
      <UnreadMark ticket={ticket} />
      <div className="flex min-w-0 items-center gap-2">
        <Status ticket={ticket} />
        <Subject {...row} className="flex-1" />
        <Flags ticket={ticket} />
        <SelectBox {...row} />
        <Created ticket={ticket} />
      </div>
      <div className="flex h-5 min-w-0 items-center gap-2">
        <Priority ticket={ticket} />
        <TicketNumber ticket={ticket} />
        <Customer ticket={ticket} className="flex-1" />
        <Due ticket={ticket} className="shrink-0" />
        <Assignee ticket={ticket} />
      </div>
    </div>
  );
}
