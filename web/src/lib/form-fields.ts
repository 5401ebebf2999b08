import type { FormField } from '@tandem/contracts';
import {
  customFieldName,
  fieldValueProblem,
  isCustomFieldName,
  storedFieldValue,
  type CustomFieldName,
  type CustomFieldValue,
  type CustomFieldValues,
} from '@tandem/contracts/values';
import { fieldProblems, type ApiProblem } from './problem';

/**
 * What customers have entered, by field, as texts: a number in digits, `true` or `false`, options separated by commas (their values contain
 * none). Drafts and the attributes of the widget's script tag have the same form.
 */
export type FieldInputs = Record<CustomFieldName, string>;

export const chosenOptions = (input: string): string[] => (input === '' ? [] : input.split(',').map((each) => each.trim()));

/** Checks an option or unchecks it. The options stay in the order of the field; options that it no longer has are removed. */
export function toggleOption({ options }: Pick<FormField, 'options'>, input: string, option: string): string {
  const chosen = chosenOptions(input);
  const isChosen = (value: string) => chosen.includes(value) !== (value === option);
  return options
    .map(({ value }) => value)
    .filter(isChosen)
    .join(',');
}

/** The value of an input, which may still be invalid; null if it is empty. */
function readInput({ type, options }: FormField, input: string): CustomFieldValue | null {
  const text = input.trim();
  switch (type) {
    case 'number':
      return text === '' ? null : Number(text);
    case 'yes_no':
      if (/^(true|yes|1)$/i.test(text)) return true;
      return /^(false|no|0)$/i.test(text) ? false : null;
    case 'choices':
      return storedFieldValue(chosenOptions(text).filter((value) => options.some((option) => option.value === value)));
    default:
      return storedFieldValue(text);
  }
}

/** The input for a value that a website has set; empty if the field does not accept it. */
export function inputOfValue(field: FormField, given: CustomFieldValue | undefined): string {
  const value = given === undefined ? null : readInput(field, String(given));
  return value === null || fieldValueProblem(field, value) ? '' : String(value);
}

/** The values of these fields, without those that have none. */
export function valuesOf(fields: readonly FormField[], inputs: FieldInputs): CustomFieldValues {
  const values = fields.map((field) => [field.key, readInput(field, inputs[customFieldName(field.key)] ?? '')] as const);
  return Object.fromEntries(values.filter((entry): entry is [string, CustomFieldValue] => entry[1] !== null));
}

/** The end of a text's key, `fields.…`. */
type InputProblem = 'missing' | 'choose' | 'number' | 'date';
const invalid: Partial<Record<FormField['type'], InputProblem>> = { number: 'number', date: 'date' };
const isChosen = ({ type }: FormField) => type === 'choice' || type === 'choices' || type === 'yes_no';

/** Browsers report an unfinished number or date as empty. */
const isUnreadable = (control: Element | RadioNodeList | null): boolean => control instanceof HTMLInputElement && control.validity.badInput;

/** What keeps this form from being sent, by the names of its inputs. */
export function inputProblems(
  form: HTMLFormElement,
  fields: readonly FormField[],
  inputs: FieldInputs,
  text: (problem: InputProblem) => string,
): Record<string, string> {
  const problems = fields.map((field): [string, InputProblem | undefined] => {
    const name = customFieldName(field.key);
    const value = readInput(field, inputs[name] ?? '');
    const otherwise = isChosen(field) ? 'choose' : 'missing';
    if (isUnreadable(form.elements.namedItem(name)) || (value !== null && fieldValueProblem(field, value)))
      return [name, invalid[field.type] ?? otherwise];
    return [name, value === null && field.form === 'required' ? otherwise : undefined];
  });
  return Object.fromEntries(problems.flatMap(([name, problem]) => (problem ? [[name, text(problem)]] : [])));
}

/** The form may show outdated fields, or none if they could not be loaded. */
export const isAboutCustomFields = (problem: ApiProblem): boolean => fieldProblems(problem).some(({ path }) => isCustomFieldName(path));
