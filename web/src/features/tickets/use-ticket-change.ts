import type { Assignee } from '@tandem/contracts';
import type { Language, TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { notify } from '../../lib/notify';
import { isWithdrawn } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { useUpdateTicketMutation } from './tickets.api';

/** A change that the user withdrew is reverted without an error message. Saved changes are reported by the mutation, with Undo. */
function report(error: unknown): void {
  if (error && !isWithdrawn(error)) notify.problem(error, t('tickets.failed_to_update_ticket'));
}
export function reportStatus(error: unknown): void {
  if (error && !isWithdrawn(error)) notify.error(t('tickets.failed_to_update_ticket_status'));
}

/** Changes one field: shows it immediately, and reports if the server refuses. */
export function useTicketChange(id: string) {
  const [update] = useUpdateTicketMutation();
  return {
    setStatus: async (status: TicketStatus) => {
      const { error } = await update({ id, changes: { status } });
      reportStatus(error);
    },
    setPriority: async (priority: TicketPriority) => {
      const { error } = await update({ id, changes: { priority } });
      report(error);
    },
    setLanguage: async (language: Language | null) => {
      const { error } = await update({ id, changes: { language } });
      report(error);
    },
    setCc: async (cc: string[]) => {
      const { error } = await update({ id, changes: { cc } });
      report(error);
    },
    setTags: async (tags: string[]) => {
      const { error } = await update({ id, changes: { tags } });
      report(error);
    },
    assign: async (assignee: Assignee | null) => {
      const { error } = await update({ id, changes: { assigned_to: assignee?.user_id ?? null }, shown: { assignee } });
      report(error);
    },
  };
}
