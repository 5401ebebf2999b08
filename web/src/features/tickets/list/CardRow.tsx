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

/** For one column on a phone or a tablet: everything about a ticket, in as many lines as it needs. */
export function CardRow(row: RowProps) {
  const { ticket } = row;
  return (
    <Row row={row} className="px-4 py-2.5">
      <div className="flex items-center gap-2">
        <TicketNumber ticket={ticket} />
        <Created ticket={ticket} />
        <CommentCount ticket={ticket} />
        <span className="-my-1 -mr-1.5 ml-auto flex items-center gap-2">
          <SelectBox {...row} />
          <TicketMenu ticket={ticket} className="relative z-10" />
        </span>
      </div>
      <Subject {...row} />
      {ticket.description_preview && (
        <p className="line-clamp-2 text-xs text-pretty break-words text-muted">{ticket.description_preview}</p>
      )}
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Status ticket={ticket} withWord />
        <Priority ticket={ticket} withWord />
        <Due ticket={ticket} />
        <Flags ticket={ticket} withLabels />
      </div>
      <div className="mt-1.5 flex items-center gap-3">
        <Customer ticket={ticket} className="flex-1" />
        <Assignee ticket={ticket} withName />
      </div>
    </Row>
  );
}
