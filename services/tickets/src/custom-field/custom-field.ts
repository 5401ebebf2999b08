import {
  AppError,
  appliesToCategory,
  customFieldName,
  fieldValueProblem,
  storedFieldValue,
  type CustomField,
  type CustomFieldChanges,
  type CustomFieldValue,
  type CustomFieldValues,
  type FieldProblem,
} from '@tandem/contracts';

const problem = (key: string, code: 'invalid' | 'required', message: string): FieldProblem => ({
  path: customFieldName(key),
  code,
  message,
});
const refuse = (fields: FieldProblem[]): void => {
  if (fields.length > 0) throw new AppError('request.invalid', { fields });
};

/**
 * The values after changes. Null removes a value. Changes to fields that do not exist, or to what their types do not allow, are refused with
 * all problems at once; removing a value is always possible.
 *
 * @param fields those that may be changed
 */
export function withChanges(fields: readonly CustomField[], before: CustomFieldValues, changes: CustomFieldChanges): CustomFieldValues {
  const problems: FieldProblem[] = [];
  const values: [string, CustomFieldValue | null][] = Object.entries(before);
  for (const [key, given] of Object.entries(changes)) {
    const value = storedFieldValue(given);
    const field = fields.find((each) => each.key === key);
    const message = value === null ? undefined : field ? fieldValueProblem(field, value) : 'There is no such custom field';
    if (message) problems.push(problem(key, 'invalid', message));
    else values.push([key, value]);
  }
  refuse(problems);
  const after = Object.entries(Object.fromEntries(values));
  return Object.fromEntries(after.filter((entry): entry is [string, CustomFieldValue] => entry[1] !== null));
}

/** The values of a new ticket from a form for customers, which must have all required fields of the ticket's category. */
export function valuesOfForm(fields: readonly CustomField[], given: CustomFieldChanges, category: string | null): CustomFieldValues {
  const asked = fields.filter((field) => field.form !== 'hidden' && appliesToCategory(field, category));
  const values = withChanges(asked, {}, given);
  refuse(
    missing(
      asked.filter(({ form }) => form === 'required'),
      values,
    ),
  );
  return values;
}

/**
 * The values of a new ticket from the widget. The website can set fields that no form asks for, as texts. What a field does not accept is
 * ignored then: the visitor could not correct it.
 */
export function valuesOfWidget(fields: readonly CustomField[], given: CustomFieldChanges): CustomFieldValues {
  const asked = fields.filter(isAskedByWidget);
  const set = fields
    .filter((field) => field.set_by_widget && !asked.includes(field))
    .flatMap((field): [string, CustomFieldValue][] => {
      const value = storedFieldValue(typedValue(field, given[field.key]));
      return value === null || fieldValueProblem(field, value) ? [] : [[field.key, value]];
    });
  const ofForm = Object.fromEntries(
    asked.flatMap((field): [string, CustomFieldValue | null][] =>
      given[field.key] === undefined ? [] : [[field.key, typedValue(field, given[field.key]) ?? null]],
    ),
  );
  return { ...valuesOfForm(asked, ofForm, null), ...Object.fromEntries(set) };
}

/** The widget's form has no category, so it asks only for the fields of all tickets. */
export const isAskedByWidget = (field: CustomField): boolean => field.form !== 'hidden' && field.categories.length === 0;

/** The value that a text of an HTML attribute stands for. */
function typedValue({ type }: CustomField, value: CustomFieldValue | null | undefined): CustomFieldValue | null | undefined {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (type === 'number') return text === '' ? null : Number(text);
  if (type === 'yes_no') return ['true', 'yes', '1'].includes(text) || (['false', 'no', '0'].includes(text) ? false : text);
  return type === 'choices' ? text.split(',').map((each) => each.trim()) : text;
}

/** Refuses to resolve or close a ticket of which a required field has no value. */
export function checkRequired(fields: readonly CustomField[], ticket: { custom_fields: CustomFieldValues; category: string | null }): void {
  const required = fields.filter((field) => field.required_to_resolve && appliesToCategory(field, ticket.category));
  refuse(missing(required, ticket.custom_fields));
}

const missing = (required: readonly CustomField[], values: CustomFieldValues): FieldProblem[] =>
  required.filter(({ key }) => values[key] === undefined).map(({ key, label }) => problem(key, 'required', `${label} is required`));
