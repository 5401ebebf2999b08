import type { CustomField } from '@tandem/contracts';
import { useState } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { isSame } from '../../../lib/is-same';
import { fieldProblems, isProblem, messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import {
  draftOf,
  errorsAt,
  fieldErrors,
  keyOf,
  settingsOf,
  type FieldDefinition,
  type FieldDraft,
  type FieldErrors,
  type FieldSettings,
} from './field-form';

/** A draft, and the saved field that it changes. */
interface Unsaved {
  draft: FieldDraft;
  base: FieldDefinition;
}
/** Changed fields that have not been saved, by the id of the field or the suggestion of a new one. */
const unsaved = createExternalStore<Partial<Record<string, Unsaved>>>(() => ({}));

const settingLabels: Record<keyof FieldSettings, string> = {
  label: t('settings.fields.label'),
  hint: t('settings.fields.hint'),
  options: t('settings.fields.options'),
  categories: t('settings.fields.categories'),
  required_to_resolve: t('settings.fields.required_to_resolve'),
  form: t('settings.fields.customer_forms'),
  shown_to_customers: t('settings.fields.shown_to_customers'),
  set_by_widget: t('settings.fields.set_by_widget'),
  translations: t('settings.fields.translations'),
};
const settingNames = Object.keys(settingLabels) as (keyof FieldSettings)[];

function changedSettings(draft: FieldDraft, base: FieldDefinition): (keyof FieldSettings)[] {
  const before = settingsOf(draftOf(base));
  const after = settingsOf(draft);
  return settingNames.filter((name) => !isSame(after[name], before[name]));
}

/** The settings that the user has changed, on the field as it is now: another admin may have changed the others. */
const onto = (fresh: FieldDraft, { draft, base }: Unsaved): FieldDraft => ({
  ...fresh,
  ...Object.fromEntries(changedSettings(draft, base).map((name) => [name, draft[name]])),
});

/**
 * The form of a custom field. Changes are kept while the user visits other pages.
 *
 * @param formKey identifies the field
 * @param taken the keys of the other fields, for a new one
 */
export function useFieldForm(formKey: string, saved: FieldDefinition, taken?: readonly string[]) {
  const savedText = JSON.stringify(saved);
  // Saving, here or by another admin, replaces what an unchanged form shows.
  const [initial, setInitial] = useState(() => ({ savedText, draft: draftOf(saved) }));
  if (initial.savedText !== savedText) setInitial({ savedText, draft: draftOf(saved) });
  const changed = unsaved.use((drafts) => drafts[formKey]);
  const draft = !changed ? initial.draft : isSame(changed.base, saved) ? changed.draft : onto(initial.draft, changed);
  const [errors, setErrors] = useState<FieldErrors>({});
  const changedNames = changedSettings(draft, saved);
  const forget = () => {
    unsaved.set(Object.fromEntries(Object.entries(unsaved.get()).filter(([each]) => each !== formKey)));
    setErrors({});
  };
  return {
    draft,
    errors,
    isNew: taken !== undefined,
    /** The key, or its suggestion. */
    key: keyOf(draft, taken ?? []),
    /** The labels of the changed settings. */
    changed: changedNames.map((name) => settingLabels[name]),
    set: (part: Partial<FieldDraft>) => {
      unsaved.set({ ...unsaved.get(), [formKey]: { draft: { ...draft, ...part }, base: saved } });
      setErrors({});
    },
    /** Shows the errors, and returns the settings if there are none. */
    check: (): FieldSettings | undefined => {
      const found = fieldErrors(draft, taken);
      setErrors(found);
      return Object.keys(found).length > 0 ? undefined : settingsOf(draft);
    },
    changesOf: (settings: FieldSettings): Partial<FieldSettings> => Object.fromEntries(changedNames.map((name) => [name, settings[name]])),
    /** Shows the server's problems at their inputs. Returns whether there are any. */
    refuse: (error: unknown): boolean => {
      const found = errorsAt(draft, fieldProblems(error));
      if (isProblem(error) && error.code === 'custom_field.key_taken') found.key = t('settings.fields.key_taken');
      if (isProblem(error) && error.code === 'custom_field.too_many') found.other = messageOf(error, '');
      setErrors(found);
      return Object.keys(found).length > 0;
    },
    forget,
  };
}
export type FieldFormState = ReturnType<typeof useFieldForm>;

export const definitionOf = ({
  id: _id,
  position: _position,
  deleted_at: _at,
  updated_at: _time,
  ...definition
}: CustomField): FieldDefinition => definition;
