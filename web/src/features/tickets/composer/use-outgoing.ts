import { useSelector } from 'react-redux';
import type { RootState } from '../../../app/store';
import { outgoingOf, selectUnsent, type Outgoing } from './unsent.slice';

/** The texts being sent on one ticket. */
export const useOutgoing = (ticket_id: string): Outgoing[] => useSelector((state: RootState) => outgoingOf(selectUnsent(state), ticket_id));
