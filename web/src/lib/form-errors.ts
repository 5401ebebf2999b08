import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { fieldProblems } from './problem';

/** Whether the form has no input for any of the server's field errors, so that the message belongs to the form itself. */
export const isFormProblem = (error: unknown, values: object): boolean => !fieldProblems(error).some(({ path }) => path in values);

/** Shows the server's field errors at the inputs of the form. Returns how many of them the form has an input for. */
export function showFieldProblems<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): number {
  const values = form.getValues();
  const fieldErrors = fieldProblems(error).filter(({ path }) => path in values);
  for (const { path, message } of fieldErrors) form.setError(path as FieldPath<Values>, { message });
  return fieldErrors.length;
}
