import { syncFieldLabels, type CustomFieldValue } from '@tandem/contracts/values';
import type { CustomFieldDefinition, IntegrationRow } from '../schema';
import type { FieldValueForTask, ListField } from '../provider/task-tool';
import { fieldIdOf, isSyncField, isTaskFieldName, taskFieldName, type FieldName, type TaskFieldName } from '../provider/field-names';
import { cut } from '../provider/read';
import type { Pair } from './fields';
import { isSame, type FieldShadow, type Shadow, type Value } from './merge';
import type { SyncLogLine } from '../engine/sync-log.store';

/** The label of a field for people; a custom field has its name in the list. */
export const fieldLabel = (field: FieldName, { list_fields }: Pick<IntegrationRow, 'list_fields'>): string =>
  isSyncField(field) ? syncFieldLabels[field] : cut(list_fields.find(({ id }) => id === fieldIdOf(field))?.name ?? 'Custom field', 100);

type Holder = Pick<Pair, 'tool' | 'integration' | 'copy' | 'definitions' | 'sharing'>;

/** A custom field of the task, and the value that it should have, encoded for the shadow. */
export interface TaskField {
  name: TaskFieldName;
  value: Value;
  /** Why the ticket's value, or a part of it, is not sent. */
  problem?: string;
}

const folded = (name: string): string => name.trim().toLowerCase();
export const encoded = (value: FieldValueForTask | null): Value => (value === null ? null : JSON.stringify(value));
export const decoded = (value: Value): FieldValueForTask | null =>
  typeof value === 'string' ? (JSON.parse(value) as FieldValueForTask) : null;

/**
 * The list's custom fields that have the name of one of the organization's custom fields and a type that fits. If several of these have one
 * name, the first with a value counts. The field that has the customer's address is left out.
 */
export function taskFields(holder: Holder): TaskField[] {
  const { tool, integration, copy, definitions = [], sharing } = holder;
  const { fieldTypes } = tool;
  if (!fieldTypes || !tool.capabilities.custom_fields || integration.custom_fields_refused || sharing === 'follower') return [];
  return integration.list_fields.flatMap((field) => {
    if (field.id === integration.field_mappings.customer_email?.field_id) return [];
    const fitting = definitions.filter(({ label, type }) => folded(label) === folded(field.name) && fieldTypes[type].includes(field.type));
    const definition = fitting.find(({ key }) => copy.custom_fields[key] !== undefined) ?? fitting[0];
    if (!definition) return [];
    return [{ name: taskFieldName(field.id), ...valueForTask(holder, field, definition) }];
  });
}

function valueForTask({ tool, copy }: Holder, field: ListField, definition: CustomFieldDefinition): Pick<TaskField, 'value' | 'problem'> {
  const value = copy.custom_fields[definition.key];
  const converted = value === undefined ? undefined : tool.fieldValue?.(field, definition.type, withLabels(definition, value));
  return { value: encoded(converted?.value ?? null), ...(converted?.problem !== undefined && { problem: converted.problem }) };
}

/** Options by their labels; one that was removed from the definition has only its value. */
function withLabels({ type, options }: CustomFieldDefinition, value: CustomFieldValue): CustomFieldValue {
  if (type !== 'choice' && type !== 'choices') return value;
  const labelOf = (each: string) => options.find((option) => option.value === each)?.label ?? each;
  return Array.isArray(value) ? value.map(labelOf) : labelOf(String(value));
}

/** Whether a link needs the organization's definitions: its ticket has values, or its task may have some. */
export const needsDefinitions = (copy: Pick<Pair['copy'], 'custom_fields'>, shadow: Shadow): boolean =>
  Object.keys(copy.custom_fields).length > 0 || Object.keys(shadow).some(isTaskFieldName);

interface TaskFieldComparison {
  shadow: Record<TaskFieldName, FieldShadow>;
  to_task: Record<TaskFieldName, Value>;
  /** Values that the task refused and that have not changed since. */
  refused: Record<TaskFieldName, Value>;
  notes: SyncLogLine[];
}

/**
 * No value of a field equals this one, so the field is written. It is saved before each write: if the result is lost, the task may have either
 * value, even if the ticket returns to the previous one.
 */
const unknown = '';

/**
 * Compares the values that the task's custom fields should have with those that were last sent. They are not read back, so an edit in the
 * tool stays until the ticket's value changes.
 */
export function compareTaskFields(pair: Pair): TaskFieldComparison {
  const result: TaskFieldComparison = { shadow: withoutRefusals(pair.shadow), to_task: {}, refused: {}, notes: [] };
  for (const { name, value, problem } of taskFields(pair)) {
    const before = pair.shadow[name];
    if (!before && value === null && problem === undefined) continue;
    const task = before?.task ?? null;
    const isSent = isSame(value, task);
    const isRefused = !isSent && isSame(value, before?.refused?.value);
    if (isRefused) result.refused[name] = value;
    else if (!isSent) result.to_task[name] = value;
    result.shadow[name] = {
      ticket: null,
      task: isSent || isRefused ? task : unknown,
      ...(before?.refused && !isSent && { refused: before.refused }),
      ...(problem !== undefined && { logged: problem }),
    };
    if (problem !== undefined && problem !== before?.logged)
      result.notes.push({ level: 'warning', ticket: pair.copy, direction: 'to_task', message: problem });
  }
  return result;
}

/** A field that is no longer synced keeps the value that was sent, so that it is compared with it if it is synced again. */
function withoutRefusals(shadow: Shadow): TaskFieldComparison['shadow'] {
  const kept = Object.entries(shadow).filter(([name]) => isTaskFieldName(name));
  return Object.fromEntries(kept.map(([name, { ticket, task }]) => [name, { ticket, task }]));
}

/** The shadow of a new task that was created with these values. */
export const sentShadow = (fields: readonly TaskField[]): Shadow =>
  Object.fromEntries(fields.map(({ name, value }) => [name, { ticket: null, task: value }]));

/** The shadow of a task whose values are not known. */
export const unknownShadow = (fields: readonly TaskField[]): Shadow =>
  Object.fromEntries(fields.map(({ name }) => [name, { ticket: null, task: unknown }]));
