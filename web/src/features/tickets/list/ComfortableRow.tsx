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
  'grid h-16 grid-cols-[0.875rem_4.5rem_minmax(0,1fr)_9.75rem_9.5rem_9.5rem_4.75rem_1.75rem] items-center gap-x-3 overflow-hidden px-4 ' +
  'max-2xl:grid-cols-[0.875rem_4.25rem_minmax(0,1fr)_9.5rem_8.5rem_8rem_4rem_1.75rem]';
/** Two lines in every column, aligned with each other. */
const pair = 'flex min-w-0 flex-col items-start gap-1';

/** 64 px: everything about a ticket. */
export function ComfortableRow(row: RowProps) {
  const { ticket } = row;
  return (
    <Row row={row} className={columns}>
      <SelectBox {...row} />
      <TicketNumber ticket={ticket} />
      <div className="min-w-0">
        <Subject {...row} className="leading-4.5" />
        {ticket.description_preview && (
          <p className="line-clamp-2 text-xs leading-4 break-words text-muted">{ticket.description_preview}</p>
        )}
      </div>
      <div className={pair}>
        <Status ticket={ticket} withWord />
        <Priority ticket={ticket} withWord />
      </div>
      <div className={pair}>
        <Due ticket={ticket} />
        <span className="flex max-w-full min-w-0 gap-2">
          <Flags ticket={ticket} withLabels />
        </span>
      </div>
      <div className={pair}>
        <Customer ticket={ticket} className="max-w-full" />
        <Assignee ticket={ticket} withName />
      </div>
      <div className="flex min-w-0 flex-col items-end gap-1 text-xs text-muted">
        <Created ticket={ticket} />
        <CommentCount ticket={ticket} />
      </div>
      <TicketMenu ticket={ticket} className="relative z-10" />
    </Row>
  );
}
