import type { TicketSummary } from '@tandem/contracts';
import { memo } from 'react';
import { useRowActions } from './row-actions';
import type { RowLayout } from './row-list';
import { BesideRow } from './rows/BesideRow';
import { CardRow } from './rows/CardRow';
import { ComfortableRow } from './rows/ComfortableRow';
import { CompactRow } from './rows/CompactRow';

export interface TicketCardProps {
  ticket: TicketSummary;
  /** The list's filters, kept in the ticket's URL so that the back link leads to the same list. */
  search: string;
  isOpen: boolean;
  layout: RowLayout;
  isSelected: boolean;
  /** While rows are selected, every row shows its checkbox. */
  isSelecting: boolean;
  onSelect: (id: string, range: boolean) => void;
}

const rows = { comfortable: ComfortableRow, compact: CompactRow, beside: BesideRow, card: CardRow };

/** A ticket in the list. The whole row is a link; the checkbox and the menu are layered above it. */
export const TicketCard = memo(function TicketCard(props: TicketCardProps) {
  const actions = useRowActions();
  const Row = rows[props.layout];
  return <Row {...props} onMouseEnter={() => actions.prefetch(props.ticket.id)} />;
});
