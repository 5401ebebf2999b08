import type { Assignee, CustomFieldValue } from '@tandem/contracts';
import type { Language, TicketPriority, TicketStatus } from '@tandem/contracts/values';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../app/store';
import { notify } from '../../lib/notify';
import { isWithdrawn } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { setStatus } from './set-status';
import { useUpdateTicketMutation } from './tickets.api';

/** A change that the user withdrew is reverted without an error message. Saved changes are reported by the mutation, with Undo. */
function report(error: unknown): void {
  if (error && !isWithdrawn(error)) notify.problem(error, t('tickets.failed_to_update_ticket'));
}

/** Changes one field: shows it immediately, and reports if the server refuses. */
export function useTicketChange(id: string) {
  const dispatch = useDispatch<AppDispatch>();
  const [update] = useUpdateTicketMutation();
  return {
    setStatus: (status: TicketStatus) => dispatch(setStatus(id, status)),
    /** Resolves to what the server says about the value, to be shown at the field. */
    setField: async (key: string, value: CustomFieldValue | null): Promise<string | undefined> => {
      const { error } = await update({ id, changes: { custom_fields: { [key]: value } } });
      if (!error) return undefined;
      const { problemsByField } = await import('../../app/custom-fields/ticket-fields');
      const problem = problemsByField(error)[key];
      if (problem === undefined) report(error);
      return problem;
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
