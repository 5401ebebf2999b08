import { memo } from 'react';
import { useRowActions } from './row-actions';
import type { TicketCardProps } from './row-list';
import { BesideRow } from './BesideRow';
import { CardRow } from './CardRow';
import { ComfortableRow } from './ComfortableRow';
import { CompactRow } from './CompactRow';

const rows = { comfortable: ComfortableRow, compact: CompactRow, beside: BesideRow, card: CardRow };

/** A ticket in the list. The whole row is a link; the checkbox and the menu are layered above it. */
export const TicketCard = memo(function TicketCard(props: TicketCardProps) {
  const actions = useRowActions();
  const Row = rows[props.layout];
  const { id } = props.ticket;
  return <Row {...props} load={(delayMs) => actions.load(id, delayMs)} follow={(click) => actions.follow(click, id)} />;
});
