import { useSelector } from 'react-redux';
import type { RootState } from '../../../app/store';
import type { Outgoing, UnsentState } from './unsent.slice';

const byTicket = new WeakMap<readonly Outgoing[], Map<string, Outgoing[]>>();
/** The texts being sent on one ticket; the same array until they change. */
function outgoingOf({ outgoing }: UnsentState, ticket_id: string): Outgoing[] {
  const known = byTicket.get(outgoing) ?? new Map<string, Outgoing[]>();
  byTicket.set(outgoing, known);
  const mine = known.get(ticket_id) ?? outgoing.filter((item) => item.ticket_id === ticket_id);
  known.set(ticket_id, mine);
  return mine;
}

const none: Outgoing[] = [];

/** The texts being sent on one ticket. There are none before the composer's code has added their slice. */
export const useOutgoing = (ticket_id: string): Outgoing[] =>
  useSelector(({ unsent }: RootState) => (unsent ? outgoingOf(unsent, ticket_id) : none));
