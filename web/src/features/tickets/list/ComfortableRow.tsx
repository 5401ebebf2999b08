import type { ListColumn } from '@tandem/contracts/values';
import { cn } from '../../../lib/cn';
import { columns, comfortableColumns } from './columns';
import { useColumns } from './list-preferences';
import { Row, SelectBox, Subject, TicketNumber, type RowProps } from './row-parts';
import { TicketMenu } from './TicketMenu';

const alignedRight: readonly ListColumn[] = ['created', 'comments', 'updated'];

/** 64 px: everything about a ticket. */
export function ComfortableRow(row: RowProps) {
  const { ticket } = row;
  const { pairs, template } = comfortableColumns(useColumns(), ticket.ticket_number);
  return (
    <Row row={row} className="grid h-16 items-center gap-x-3 overflow-hidden px-4" template={template}>
      <SelectBox {...row} />
      <TicketNumber ticket={ticket} />
      <div className="min-w-0">
        <Subject {...row} className="leading-4.5" />
        {ticket.description_preview && (
          <p className="line-clamp-2 text-xs leading-4 break-words text-muted">{ticket.description_preview}</p>
        )}
      </div>
      {/* Two lines in every column, aligned with each other. */}
      {pairs.map((pair) => (
        <div
          key={pair.join()}
          className={cn('flex min-w-0 flex-col gap-1', pair.every((name) => alignedRight.includes(name)) ? 'items-end' : 'items-start')}
        >
          {pair.map((name) => (
            <span key={name} className="contents">
              {columns[name].render(ticket, true)}
            </span>
          ))}
        </div>
      ))}
      <TicketMenu ticket={ticket} className="relative z-10" />
    </Row>
  );
}
