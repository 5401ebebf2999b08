/** The name of a custom field in conditions and in changes of tickets. */
export type CustomFieldName = `custom_fields.${string}`;
const prefix = 'custom_fields.';
export const customFieldName = (key: string): CustomFieldName => `${prefix}${key}`;
export const isCustomFieldName = (name: string): name is CustomFieldName => name.startsWith(prefix);
export const keyOfName = (name: CustomFieldName): string => name.slice(prefix.length);
