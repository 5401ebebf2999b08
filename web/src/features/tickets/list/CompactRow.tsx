import { TicketMenu } from './TicketMenu';
import {
  Assignee,
  CommentCount,
  Created,
  Customer,
  Due,
  Flags,
  Priority,
  Row,
  SelectBox,
  Status,
  Subject,
  TicketNumber,
  type RowProps,
} from './row-parts';

const columns =
  'grid h-10 grid-cols-[0.875rem_2.25rem_4.5rem_minmax(0,1fr)_auto_9rem_7rem_1.25rem_3.75rem_1.75rem] items-center gap-x-3 overflow-hidden px-4';

/** 40 px: one line. */
export function CompactRow(row: RowProps) {
  const { ticket } = row;
  return (
    <Row row={row} className={columns}>
      <SelectBox {...row} />
      <span className="flex gap-2">
        <Status ticket={ticket} />
        <Priority ticket={ticket} />
      </span>
      <TicketNumber ticket={ticket} />
      <div className="flex min-w-0 items-baseline gap-2">
        <Subject {...row} className="max-w-full shrink-0" />
        {ticket.description_preview && <p className="min-w-0 truncate text-xs text-muted">{ticket.description_preview}</p>}
      </div>
      <span className="flex gap-2">
        <Flags ticket={ticket} />
        <CommentCount ticket={ticket} />
      </span>
      <Customer ticket={ticket} />
      {/* Keeps the column of a ticket without a due time. */}
      <span className="flex min-w-0">
        <Due ticket={ticket} />
      </span>
      <Assignee ticket={ticket} />
      <Created ticket={ticket} />
      <TicketMenu ticket={ticket} className="relative z-10" />
    </Row>
  );
}
