import { ticketChannels } from './customers';
import { ticketPriorities, ticketStatuses } from './tickets';

/** The type of a field decides its operators and the type of the value. */
export const conditionFields = {
  status: { label: 'Status', type: 'choice', values: ticketStatuses },
  priority: { label: 'Priority', type: 'choice', values: ticketPriorities },
  channel: { label: 'Channel', type: 'choice', values: ticketChannels },
  category: { label: 'Category', type: 'text' },
  subject: { label: 'Subject', type: 'text' },
  customer_email: { label: 'Customer’s email', type: 'text' },
  tags: { label: 'Tags', type: 'set' },
  assigned_to: { label: 'Assignee', type: 'member' },
  is_breached: { label: 'Missed a due time', type: 'yes_no' },
  is_escalated: { label: 'Escalated', type: 'yes_no' },
  has_task: { label: 'Has a task', type: 'yes_no' },
  reopen_count: { label: 'Times reopened', type: 'number' },
  public_reply_count: { label: 'Public replies', type: 'number' },
} as const satisfies Record<string, ConditionFieldDefinition>;
interface ConditionFieldDefinition {
  label: string;
  type: keyof typeof conditionOperators;
  values?: readonly string[];
}
export type ConditionField = keyof typeof conditionFields;

/**
 * The operators of each type of field. Text is compared without regard to case. `is_empty` takes no value; `is_any_of` and `is_none_of` take
 * a list; `is` on `yes_no` takes a boolean.
 */
export const conditionOperators = {
  choice: ['is_any_of', 'is_none_of', 'is_empty', 'is_not_empty'],
  text: ['is', 'is_not', 'contains', 'does_not_contain', 'starts_with', 'ends_with', 'is_empty', 'is_not_empty'],
  set: ['contains_any_of', 'contains_all_of', 'contains_none_of', 'is_empty', 'is_not_empty'],
  member: ['is_any_of', 'is_none_of', 'is_empty', 'is_not_empty'],
  yes_no: ['is'],
  number: ['is', 'at_least', 'at_most'],
} as const;

export const conditionLimits = { depth: 3, conditions: 50, values: 50, valueLength: 255 } as const;
