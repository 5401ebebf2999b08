import { columns, compactColumns } from './columns';
import { useColumns } from './list-preferences';
import { Row, SelectBox, Subject, TicketNumber, type RowProps } from './row-parts';
import { TicketMenu } from './TicketMenu';

/** 40 px: one line. */
export function CompactRow(row: RowProps) {
  const { ticket } = row;
  const { icons, marks, others, template } = compactColumns(useColumns(), ticket.ticket_number);
  return (
    <Row row={row} className="grid h-10 items-center gap-x-3 overflow-hidden px-4" template={template}>
      <SelectBox {...row} />
      <span className="flex gap-2">
        {icons.map((name) => (
          <span key={name} className="contents">
            {columns[name].render(ticket, false)}
          </span>
        ))}
      </span>
      <TicketNumber ticket={ticket} />
      <div className="flex min-w-0 items-baseline gap-2">
        <Subject {...row} className="max-w-full shrink-0" />
        {ticket.description_preview && <p className="min-w-0 truncate text-xs text-muted">{ticket.description_preview}</p>}
      </div>
      <span className="flex gap-2">
        {marks.map((name) => (
          <span key={name} className="contents">
            {columns[name].render(ticket, false)}
          </span>
        ))}
      </span>
      {/* A ticket without a value has an empty cell, so that columns stay aligned. */}
      {others.map((name) => (
        <span key={name} className={name === 'created' ? 'flex min-w-0 justify-end' : 'flex min-w-0'}>
          {columns[name].render(ticket, false)}
        </span>
      ))}
      <TicketMenu ticket={ticket} className="relative z-10" />
    </Row>
  );
}
