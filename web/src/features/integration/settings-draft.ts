import type {
  ClosedMeanings,
  CreateIntegration,
  FieldMappings,
  Integration,
  StatusMappings,
  TaskList,
  TaskRules,
  TaskTool,
} from '@tandem/contracts';
import {
  defaultDirections,
  defaultFinishedReply,
  syncFields,
  ticketStatuses,
  type CommentSync,
  type ConflictRule,
  type FinishedTaskRule,
  type SyncDirection,
  type SyncField,
  type TicketStatus,
} from '@tandem/contracts/values';

/** Settings of an integration while they are edited. */
export interface SettingsDraft {
  /** Name of the list's status for each ticket status; null: not sent. */
  statuses: Record<TicketStatus, string | null>;
  directions: Record<SyncField, SyncDirection>;
  /** The field that stores the customer's email address; null: it is written into the description. */
  email_field: string | null;
  rules: TaskRules;
  comment_sync: CommentSync;
  conflict_rule: ConflictRule;
  on_task_finished: FinishedTaskRule;
  finished_reply: string;
  /** Meanings chosen for closing statuses, by status id. */
  closed_meanings: ClosedMeanings;
}
export type SetDraft = (changes: Partial<SettingsDraft>) => void;
export interface SettingsProps {
  tool: TaskTool;
  /** The list's statuses, and its fields that can store an email address. */
  list: Pick<TaskList, 'statuses' | 'email_fields'>;
  draft: SettingsDraft;
  set: SetDraft;
}

const statusesOf = (mapped: Record<string, string | null | undefined>) =>
  Object.fromEntries(ticketStatuses.map((status) => [status, mapped[status] ?? null])) as SettingsDraft['statuses'];

/** Initial settings of a new integration for a list. */
export const draftOfList = (list: TaskList | undefined): SettingsDraft => ({
  statuses: statusesOf(list?.proposed_statuses ?? {}),
  directions: { ...defaultDirections },
  email_field: list?.proposed_email_field ?? null,
  rules: { create: 'all', categories: [], tags: [], priorities: [] },
  comment_sync: 'both',
  conflict_rule: 'latest',
  on_task_finished: 'tell_customer',
  finished_reply: defaultFinishedReply,
  closed_meanings: {},
});

export const draftOfIntegration = (integration: Integration): SettingsDraft => {
  const { field_mappings, status_mappings, rules, comment_sync, conflict_rule, on_task_finished, finished_reply, closed_meanings } =
    integration;
  const directions = syncFields.map((field) => [field, field_mappings[field]?.direction ?? defaultDirections[field]] as const);
  return {
    statuses: statusesOf(status_mappings),
    directions: Object.fromEntries(directions) as SettingsDraft['directions'],
    email_field: field_mappings.customer_email?.field_id ?? null,
    finished_reply: finished_reply ?? defaultFinishedReply,
    rules,
    comment_sync,
    conflict_rule,
    on_task_finished,
    closed_meanings,
  };
};

/** Mappings of the fields that the tool has. With `proposed`, only the changed ones: the server applies the same defaults to the rest. */
function fieldMappingsOf(draft: SettingsDraft, fields: readonly SyncField[], proposed: SettingsDraft | undefined): FieldMappings {
  const isAsProposed = (field: SyncField) =>
    draft.directions[field] === proposed?.directions[field] && (field !== 'customer_email' || draft.email_field === proposed.email_field);
  const mapped = fields
    .filter((field) => !isAsProposed(field))
    .map((field) => [
      field,
      { direction: draft.directions[field], ...(field === 'customer_email' ? { field_id: draft.email_field } : {}) },
    ]);
  return Object.fromEntries(mapped) as FieldMappings;
}

/** Drops values that were entered for 'matching' if that mode is no longer selected. */
const rulesOf = ({ rules }: SettingsDraft): TaskRules =>
  rules.create === 'matching' ? rules : { create: rules.create, categories: [], tags: [], priorities: [] };

type Settings = Pick<
  CreateIntegration,
  'field_mappings' | 'rules' | 'comment_sync' | 'conflict_rule' | 'on_task_finished' | 'finished_reply'
> & { status_mappings: StatusMappings; closed_meanings?: ClosedMeanings };

/**
 * The settings in the request format: for a new integration only the fields that differ from `proposed` (`{}` if none do), for an existing
 * one all of them. A reply that is empty or equal to the default is stored as null, so that it follows later changes to the default.
 */
export function settingsOf(draft: SettingsDraft, fields: readonly SyncField[], proposed?: SettingsDraft): Settings {
  const { statuses, comment_sync, conflict_rule, on_task_finished, finished_reply } = draft;
  const isOurs = finished_reply.trim() === '' || finished_reply === defaultFinishedReply;
  return {
    field_mappings: fieldMappingsOf(draft, fields, proposed),
    status_mappings: statuses,
    rules: rulesOf(draft),
    comment_sync,
    conflict_rule,
    on_task_finished,
    finished_reply: isOurs ? null : finished_reply,
    ...((!proposed || Object.keys(draft.closed_meanings).length > 0) && { closed_meanings: draft.closed_meanings }),
  };
}
