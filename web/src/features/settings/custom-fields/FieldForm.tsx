import { customFieldForms, customFieldLimits, ticketLimits, type CustomFieldType } from '@tandem/contracts/values';
import { useSession } from '../../../app/api';
import { t } from '../../../lib/staff-texts';
import { Card } from '../../../ui/Card';
import { CheckRow } from '../../../ui/CheckRow';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { TagInput } from '../../../ui/TagInput';
import { FormPart } from '../FormPart';
import { useReadLanguagesQuery } from '../languages/languages.api';
import { hasOptions } from './field-form';
import { typeLabels, typeOptions } from './field-labels';
import { OptionsEditor } from './OptionsEditor';
import { Translations, useOtherLanguages } from './Translations';
import type { FieldFormState } from './use-field-form';

interface PartProps {
  form: FieldFormState;
}

/** Type and key, until the field is created. */
const TypeAndKey = ({ form: { draft, errors, key, set } }: PartProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <Field label={t('settings.fields.type')} hint={t('settings.fields.about_type')} error={errors.type}>
      {(control) => (
        <Select {...control} value={draft.type} options={typeOptions} onChange={(type) => set({ type: type as CustomFieldType })} />
      )}
    </Field>
    <Field label={t('settings.fields.key')} hint={t('settings.fields.about_key')} error={errors.key}>
      {(control) => (
        <Input
          {...control}
          className="font-mono"
          dir="ltr"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          maxLength={customFieldLimits.key}
          value={key}
          onChange={({ target }) => set({ key: target.value })}
          // An empty key is suggested again.
          onBlur={() => draft.key === '' && set({ key: null })}
        />
      )}
    </Field>
  </div>
);

const FixedTypeAndKey = ({ form: { draft, key } }: PartProps) => (
  <div>
    <dl className="flex flex-wrap gap-x-6 gap-y-1">
      <div className="flex gap-1.5">
        <dt className="text-muted">{t('settings.fields.type')}</dt>
        <dd>{typeLabels[draft.type]}</dd>
      </div>
      <div className="flex gap-1.5">
        <dt className="text-muted">{t('settings.fields.key')}</dt>
        <dd>
          <code>{key}</code>
        </dd>
      </div>
    </dl>
    <p className="mt-1 text-xs text-muted">{t('settings.fields.type_and_key_are_fixed')}</p>
  </div>
);

function Basics({ form }: PartProps) {
  const { draft, errors, set } = form;
  return (
    <div className="flex flex-col gap-4 border-b p-4">
      <Field label={t('settings.fields.label')} required error={errors.label} className="max-w-md">
        {(control) => (
          <Input
            {...control}
            dir="auto"
            autoComplete="off"
            maxLength={customFieldLimits.label}
            placeholder={t('settings.fields.order_number')}
            value={draft.label}
            onChange={({ target }) => set({ label: target.value })}
          />
        )}
      </Field>
      {form.isNew ? <TypeAndKey form={form} /> : <FixedTypeAndKey form={form} />}
      <Field label={t('settings.fields.hint')} optional hint={t('settings.fields.about_hint')} error={errors.hint}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            autoComplete="off"
            maxLength={customFieldLimits.hint}
            value={draft.hint}
            onChange={({ target }) => set({ hint: target.value })}
          />
        )}
      </Field>
    </div>
  );
}

function Tickets({ form: { draft, errors, set } }: PartProps) {
  const { organization_id } = useSession().profile;
  const { data: organization } = useReadLanguagesQuery(organization_id ?? '', { skip: !organization_id });
  return (
    <div className="flex flex-col gap-4">
      <Field label={t('settings.fields.categories')} hint={t('settings.fields.about_categories')} error={errors.categories}>
        {(control) => (
          <TagInput
            control={control}
            value={draft.categories}
            max={customFieldLimits.categories}
            maxLength={ticketLimits.category}
            suggestions={organization?.categories.map(({ name }) => name) ?? []}
            onChange={(categories) => set({ categories })}
          />
        )}
      </Field>
      <CheckRow
        label={t('settings.fields.required_to_resolve')}
        description={t('settings.fields.about_required_to_resolve')}
        checked={draft.required_to_resolve}
        onChange={(required_to_resolve) => set({ required_to_resolve })}
      />
    </div>
  );
}

type FormUse = (typeof customFieldForms)[number];
const formLabels: Record<FormUse, string> = {
  hidden: t('settings.fields.not_asked'),
  optional: t('settings.fields.optional'),
  required: t('settings.fields.required'),
};
const formOptions = customFieldForms.map((value) => ({ value, label: formLabels[value] }));

const Customers = ({ form: { draft, errors, key, set } }: PartProps) => (
  <div className="flex flex-col gap-4">
    <Field label={t('settings.fields.customer_forms')} hint={t('settings.fields.about_forms')} error={errors.form} className="max-w-md">
      {(control) => <Select {...control} value={draft.form} options={formOptions} onChange={(form) => set({ form: form as FormUse })} />}
    </Field>
    <CheckRow
      label={t('settings.fields.shown_to_customers')}
      description={t('settings.fields.about_shown')}
      checked={draft.shown_to_customers}
      onChange={(shown_to_customers) => set({ shown_to_customers })}
    />
    <CheckRow
      label={t('settings.fields.set_by_widget')}
      description={t('settings.fields.about_widget', { attribute: `data-field-${(key || 'key').replaceAll('_', '-')}` })}
      checked={draft.set_by_widget}
      onChange={(set_by_widget) => set({ set_by_widget })}
    />
  </div>
);

/** The settings of a custom field. */
export function FieldForm({ form }: PartProps) {
  const others = useOtherLanguages(form);
  return (
    <Card>
      <Basics form={form} />
      {hasOptions(form.draft.type) && (
        <FormPart title={t('settings.fields.options')} hint={t('settings.fields.about_options')}>
          <OptionsEditor form={form} />
        </FormPart>
      )}
      <FormPart title={t('settings.fields.tickets')} hint={t('settings.fields.about_tickets')}>
        <Tickets form={form} />
      </FormPart>
      <FormPart title={t('settings.fields.customers')} hint={t('settings.fields.about_customers')}>
        <Customers form={form} />
      </FormPart>
      {others.length > 0 && <Translations form={form} others={others} />}
    </Card>
  );
}
