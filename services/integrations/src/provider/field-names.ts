import type { SyncField } from '@tandem/contracts';

/** The name of a task's custom field, with the tool's id of the field. */
export type TaskFieldName = `task_field:${string}`;
/** A field that ticket and task both have, or a custom field of the task. */
export type FieldName = SyncField | TaskFieldName;

const prefix = 'task_field:';
export const taskFieldName = (field_id: string): TaskFieldName => `${prefix}${field_id}`;
export const fieldIdOf = (name: TaskFieldName): string => name.slice(prefix.length);
export const isTaskFieldName = (name: string): name is TaskFieldName => name.startsWith(prefix);
export const isSyncField = (name: FieldName): name is SyncField => !isTaskFieldName(name);
