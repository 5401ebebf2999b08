import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { fieldProblems } from './problem';

/** Puts what the server said about single inputs beside them, where the form has them. Returns how many it had. */
export function showFieldProblems<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): number {
  const values = form.getValues();
  const beside = fieldProblems(error).filter(({ path }) => path in values);
  for (const { path, message } of beside) form.setError(path as FieldPath<Values>, { message });
  return beside.length;
}
