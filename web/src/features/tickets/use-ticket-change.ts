import type { Assignee } from '@tandem/contracts';
import type { TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { notify } from '../../lib/notify';
import { useUpdateTicketMutation } from './tickets.api';

/** Changes of one field: at once on the screen, and a sentence about how it went. */
export function useTicketChange(id: string) {
  const [update] = useUpdateTicketMutation();
  return {
    setStatus: async (status: TicketStatus) => {
      const { error } = await update({ id, changes: { status } });
      if (error) notify.error('Failed to update ticket status');
      else notify.success('Ticket status updated');
    },
    setPriority: async (priority: TicketPriority) => {
      const { error } = await update({ id, changes: { priority } });
      if (error) notify.problem(error, 'Failed to update ticket');
      else notify.success('Ticket updated');
    },
    setTags: async (tags: string[]) => {
      const { error } = await update({ id, changes: { tags } });
      if (error) notify.problem(error, 'Failed to update ticket');
    },
    assign: async (assignee: Assignee | null) => {
      const { error } = await update({ id, changes: { assigned_to: assignee?.user_id ?? null }, shown: { assignee } });
      if (error) notify.problem(error, 'Failed to update ticket');
      else notify.success('Ticket updated');
    },
  };
}
