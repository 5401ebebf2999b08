import { useEffect } from 'react';
import { useWatch, type FieldValues, type UseFormReturn } from 'react-hook-form';
import type { ExternalStore } from '../../../lib/external-store';

/** Keeps the unsaved values of a form while another panel is open. Returns the labels of the fields that have changed. */
export function useKeptValues<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  kept: ExternalStore<Values | null>,
  labels: Record<keyof Values, string>,
): string[] {
  const values = useWatch({ control: form.control });
  const { dirtyFields } = form.formState;
  const changed = Object.entries(labels).flatMap(([name, label]) => (name in dirtyFields ? [label] : []));
  const isChanged = changed.length > 0;
  useEffect(() => {
    const before = kept.get();
    if (before) form.reset(before, { keepDefaultValues: true });
  }, [form, kept]);
  useEffect(() => kept.set(isChanged ? form.getValues() : null), [form, kept, isChanged, values]);
  return changed;
}
