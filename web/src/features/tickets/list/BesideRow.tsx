import {
  Assignee,
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

/** A row of the list next to an open ticket: two lines, 56 px high. */
export function BesideRow(row: RowProps) {
  const { ticket } = row;
  return (
    <Row row={row} className="flex h-14 flex-col justify-center gap-0.5 overflow-hidden pr-3 pl-4">
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
    </Row>
  );
}
