import type { RuleAction } from '@tandem/contracts';
import { customFieldName } from '@tandem/contracts/values';
import { fieldLabel } from '../../../app/conditions/condition-labels';
import { FieldInput } from '../../../app/custom-fields/FieldInput';
import { t } from '../../../lib/staff-texts';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import { FormError } from '../FormError';
import { noFieldValue } from './rule-form';
import type { RuleNames } from './rule-labels';

type SetFieldAction = Extract<RuleAction, { type: 'set_field' }>;

interface SetFieldProps {
  action: SetFieldAction;
  error: string | undefined;
  names: RuleNames;
  onChange: (action: SetFieldAction) => void;
}

const changeOptions = [
  { value: 'set', label: t('settings.rules.set_value') },
  { value: 'remove', label: t('settings.rules.remove_value') },
];

/** The field, whether the rule sets or removes its value, and the value. */
export function SetField({ action, error, names, onChange }: SetFieldProps) {
  const { key, value } = action;
  const inUse = names.fields?.filter(({ deleted_at }) => deleted_at === null) ?? [];
  const field = inUse.find((each) => each.key === key);
  const isMissing = key !== '' && names.fields !== undefined && !field;
  const options = inUse.map((each) => ({ value: each.key, label: each.label }));
  if (key !== '' && !field) options.push({ value: key, label: fieldLabel(customFieldName(key), names.fields) });
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="grid gap-2 sm:grid-cols-2">
        <Field
          label={t('settings.rules.custom_field')}
          hideLabel
          error={isMissing ? t('settings.rules.field_no_longer_exists') : field ? undefined : error}
        >
          {(control) => (
            <Select
              {...control}
              placeholder={t('settings.rules.choose_field')}
              value={key}
              options={options}
              onChange={(chosen) => onChange({ type: 'set_field', key: chosen, value: noFieldValue })}
            />
          )}
        </Field>
        {field && (
          <Select
            label={t('settings.rules.change')}
            value={value === null ? 'remove' : 'set'}
            options={changeOptions}
            onChange={(change) => onChange({ ...action, value: change === 'remove' ? null : noFieldValue })}
          />
        )}
      </div>
      {field && value !== null && (
        <FieldInput
          key={key}
          field={field}
          hideLabel
          value={value === noFieldValue ? null : value}
          onChange={(next) => onChange({ ...action, value: next ?? noFieldValue })}
          problem={error}
        />
      )}
      {field && value === null && error && <FormError>{error}</FormError>}
    </div>
  );
}
