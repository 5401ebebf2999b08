import type { CustomFieldValue } from './custom-fields';

/** The name of a custom field in conditions and in changes of tickets. */
export type CustomFieldName = `custom_fields.${string}`;
const prefix = 'custom_fields.';
export const customFieldName = (key: string): CustomFieldName => `${prefix}${key}`;
export const isCustomFieldName = (name: string): name is CustomFieldName => name.startsWith(prefix);
export const keyOfName = (name: CustomFieldName): string => name.slice(prefix.length);

/** The value as it is stored: text without surrounding spaces, a list without repetitions; null if nothing is left, or nothing was given. */
export function storedFieldValue(value: CustomFieldValue | null | undefined): CustomFieldValue | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value.trim() || null;
  if (Array.isArray(value)) return value.length === 0 ? null : [...new Set(value)];
  return value;
}

/** Whether a ticket of this category has the field. A field without categories belongs to all tickets. */
export const appliesToCategory = ({ categories }: { categories: readonly string[] }, category: string | null): boolean =>
  categories.length === 0 || (category !== null && categories.includes(category));
