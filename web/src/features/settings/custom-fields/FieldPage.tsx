import type { CustomField } from '@tandem/contracts';
import { ArrowLeft, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useFocusFirstError } from '../../../lib/focus-error';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { SaveBar } from '../../../ui/SaveBar';
import { useCreateCustomFieldMutation, useUpdateCustomFieldMutation } from './custom-field-settings.api';
import type { FieldDefinition } from './field-form';
import { FieldForm } from './FieldForm';
import { listAddress } from './use-fields-address';
import { definitionOf, useFieldForm, type FieldFormState } from './use-field-form';

const back = (
  <Link to={listAddress} className="flex items-center gap-1.5 self-start text-muted hover:text-ink">
    <ArrowLeft className="size-4" aria-hidden />
    {t('settings.fields.all_fields')}
  </Link>
);

/** Reports a refused field at its inputs, else in a toast. */
function report(form: FieldFormState, error: unknown, sentence: string): void {
  if (!form.refuse(error)) notify.problem(error, sentence);
}

interface NewFieldPageProps {
  /** Identifies the unsaved field: one per suggestion. */
  formKey: string;
  initial: FieldDefinition;
  /** The keys of all fields, also of the deleted ones. */
  takenKeys: readonly string[];
}

/** A field that does not exist yet. */
export function NewFieldPage({ formKey, initial, takenKeys }: NewFieldPageProps) {
  const id = useId();
  const navigate = useNavigate();
  const form = useFieldForm(formKey, initial, takenKeys);
  const [create, { isLoading }] = useCreateCustomFieldMutation();
  const [keyOf] = useState(keyPerText);
  useFocusFirstError(id, form.errors);
  const save = async () => {
    const settings = form.check();
    if (!settings) return;
    const field = { ...settings, key: form.key, type: form.draft.type };
    const { error } = await create({ field, key: keyOf(JSON.stringify(field)) });
    if (error) return report(form, error, t('settings.fields.couldnt_create_field'));
    form.forget();
    notify.success(t('settings.fields.field_created'));
    void navigate(listAddress, { replace: true });
  };
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {back}
      <h2 className="-mb-2 text-md font-semibold">{t('settings.fields.new_field')}</h2>
      <FieldForm form={form} />
      {form.errors.other && <Alert tone="destructive">{form.errors.other}</Alert>}
      <div data-above-toasts="" className="sticky bottom-0 -mb-3 flex flex-wrap items-center gap-2 border-t bg-canvas py-3">
        <Button type="submit" variant="primary" busy={isLoading}>
          {t('settings.fields.create_field')}
        </Button>
        <Button variant="ghost" asChild>
          <Link to={listAddress} onClick={form.forget}>
            {t('settings.fields.cancel')}
          </Link>
        </Button>
      </div>
    </form>
  );
}

interface FieldPageProps {
  field: CustomField;
  onDelete: () => void;
}

/** One field and its settings. */
export function FieldPage({ field, onDelete }: FieldPageProps) {
  const id = useId();
  const form = useFieldForm(field.id, definitionOf(field));
  const [update, { isLoading }] = useUpdateCustomFieldMutation();
  useFocusFirstError(id, form.errors);
  const save = async () => {
    const settings = form.check();
    if (!settings) return;
    const { error } = await update({ id: field.id, changes: form.changesOf(settings) });
    if (error) return report(form, error, t('settings.fields.couldnt_save_field'));
    form.forget();
    notify.success(t('settings.fields.field_saved'));
  };
  return (
    <form
      id={id}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {back}
      <div className="-mb-2 flex items-start gap-3">
        <h2 className="min-w-0 flex-1 text-md font-semibold [overflow-wrap:anywhere]" dir="auto">
          {field.label}
        </h2>
        <Button size="sm" variant="ghost" onClick={onDelete}>
          <Trash2 aria-hidden />
          {t('settings.fields.delete_field')}
        </Button>
      </div>
      <FieldForm form={form} />
      {form.errors.other && <Alert tone="destructive">{form.errors.other}</Alert>}
      <SaveBar changed={form.changed} busy={isLoading} onDiscard={form.forget} isBelowCards />
    </form>
  );
}
