/** The type decides the form of the value: text, a number, `YYYY-MM-DD`, a boolean, the value of an option, or a list of these. */
export const customFieldTypes = ['text', 'long_text', 'number', 'date', 'yes_no', 'choice', 'choices'] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];

/** Whether the forms for customers ask for the field. */
export const customFieldForms = ['hidden', 'optional', 'required'] as const;

export const customFieldLimits = {
  /** Fields per organization, without deleted ones. */
  fields: 50,
  /** With deleted ones that can still be restored. */
  stored: 100,
  key: 40,
  label: 60,
  hint: 200,
  options: 100,
  categories: 20,
  text: 255,
  longText: 5_000,
  /** The largest number, and the negative of the smallest: larger ones lose digits. */
  number: 1e15,
  /** How long a deleted field can be restored, with its values. */
  daysToRestore: 30,
} as const;

/** Lower-case letters, digits and underscores, starting with a letter. */
export const customFieldKey = /^[a-z][a-z0-9_]*$/;

export type CustomFieldValue = string | number | boolean | string[];
export type CustomFieldValues = Record<string, CustomFieldValue>;

/** What decides whether a value is valid. */
export interface CustomFieldRules {
  type: CustomFieldType;
  options: readonly { value: string }[];
}

/** A date of the calendar, from 0001-01-01 to 9999-12-31. */
export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value < '0001') return false;
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}

/** What is wrong with a stored value, as a sentence for the field; undefined if nothing is. */
export function fieldValueProblem({ type, options }: CustomFieldRules, value: CustomFieldValue): string | undefined {
  const isOption = (each: string) => options.some((option) => option.value === each);
  switch (type) {
    case 'text':
    case 'long_text': {
      const limit = type === 'text' ? customFieldLimits.text : customFieldLimits.longText;
      if (typeof value !== 'string') return 'Enter text';
      return value.length <= limit ? undefined : `At most ${limit.toLocaleString('en-US')} characters`;
    }
    case 'number':
      return typeof value === 'number' && Math.abs(value) <= customFieldLimits.number ? undefined : 'Enter a number';
    case 'date':
      return typeof value === 'string' && isCalendarDate(value) ? undefined : 'Enter a date as year, month and day, like 2026-03-31';
    case 'yes_no':
      return typeof value === 'boolean' ? undefined : 'Choose yes or no';
    case 'choice':
      return typeof value === 'string' && isOption(value) ? undefined : 'Choose one of the options';
    case 'choices':
      return Array.isArray(value) && value.every(isOption) ? undefined : 'Choose from the options';
  }
}
