import type { ChangesWithComment, CustomField, CustomFieldValue } from '@tandem/contracts';
import {
  appliesToCategory,
  customFieldName,
  fieldValueProblem,
  isCustomFieldName,
  keyOfName,
  storedFieldValue,
} from '@tandem/contracts/values';
import { fieldProblems } from '../../lib/problem';
import { valuesOf, type TicketFields } from './ticket-values';

/** The fields that a ticket's page shows: those of its category, and others that have a value. */
export const shownFields = (fields: readonly CustomField[], ticket: TicketFields): CustomField[] =>
  fields.filter((field) => appliesToCategory(field, ticket.category) || valuesOf(ticket)[field.key] !== undefined);

/** The fields without a value that have to be filled in before the ticket can be resolved or closed. */
export const missingFields = (fields: readonly CustomField[], ticket: TicketFields): CustomField[] =>
  fields.filter(
    (field) => field.required_to_resolve && appliesToCategory(field, ticket.category) && valuesOf(ticket)[field.key] === undefined,
  );

/** Also of the changes that a comment or a canned reply makes. */
const customFieldProblems = (error: unknown) =>
  fieldProblems(error).flatMap(({ path, ...problem }) => {
    const name = path.replace(/^changes\./, '');
    return isCustomFieldName(name) ? [{ ...problem, key: keyOfName(name) }] : [];
  });

/** What the server says about the values, by the keys of the fields. */
export const problemsByField = (error: unknown): Partial<Record<string, string>> =>
  Object.fromEntries(customFieldProblems(error).map(({ key, message }) => [key, message]));

/** The keys of the fields without which the server does not resolve or close the ticket. */
export const requiredKeys = (error: unknown): string[] =>
  customFieldProblems(error).flatMap(({ key, code }) => (code === 'required' ? [key] : []));

/** 'Product, Order number'; fields that no longer exist by their keys. */
export const fieldNames = (fields: readonly CustomField[], keys: readonly string[]): string =>
  keys.map((key) => fields.find((field) => field.key === key)?.label ?? key).join(', ');

/** What is wrong with a value that the server would refuse: options that were removed from the field are no longer valid. */
export function changeProblem(field: CustomField, value: CustomFieldValue | null | undefined): string | undefined {
  const stored = storedFieldValue(value);
  return stored === null ? undefined : fieldValueProblem(field, stored);
}

/** The changes without those that the server would refuse: of deleted fields, and to options that were removed. */
export function validChanges(fields: readonly CustomField[], changes: ChangesWithComment): ChangesWithComment {
  const refused = Object.entries(changes.custom_fields ?? {}).filter(([key, value]) => {
    const field = fields.find((each) => each.key === key);
    return !field || changeProblem(field, value) !== undefined;
  });
  return refused.reduce((valid, [key]) => withoutChange(valid, customFieldName(key)), changes);
}

/** Two changes as one; those of `more` win. */
export const mergeChanges = (changes: ChangesWithComment, more: ChangesWithComment): ChangesWithComment => ({
  ...changes,
  ...more,
  ...(changes.custom_fields && more.custom_fields ? { custom_fields: { ...changes.custom_fields, ...more.custom_fields } } : {}),
});

/** The changes without one of them, named as in the timeline: `status`, `custom_fields.product`. */
export function withoutChange(changes: ChangesWithComment, name: string): ChangesWithComment {
  const { custom_fields: values, ...others } = changes;
  const kept = Object.entries(values ?? {}).filter(([key]) => customFieldName(key) !== name);
  return {
    ...Object.fromEntries(Object.entries(others).filter(([each]) => each !== name)),
    ...(kept.length > 0 ? { custom_fields: Object.fromEntries(kept) } : {}),
  };
}

/** Moves the focus to a field in the panel of the open ticket, if it is there. */
export const focusField = (key: string): void =>
  document.querySelector<HTMLElement>(`[data-custom-field="${key}"] :is(button, input, textarea)`)?.focus();
