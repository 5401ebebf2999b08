import type { Ticket } from '@tandem/contracts';
import { useEffect, useId, useRef } from 'react';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { t } from '../../../lib/staff-texts';
import { useTicketChange } from '../use-ticket-change';

export function TagEditor({ ticket, onDone }: { ticket: Ticket; onDone: () => void }) {
  const id = useId();
  const { setTags } = useTicketChange(ticket.id);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector('input')?.focus(), []);
  return (
    <div
      ref={frame}
      className="min-w-0 py-0.5 pl-0.5"
      // Moving the focus out of the editor ends editing; removing a tag keeps it inside.
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && onDone()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {t('tickets.panel.tags')}
      </label>
      <TicketTagInput
        value={ticket.tags}
        onChange={(tags) => void setTags(tags)}
        control={{ id, 'aria-invalid': undefined, 'aria-describedby': undefined, 'aria-required': undefined }}
      />
    </div>
  );
}
