import type { RuleAction } from '@tandem/contracts';
import { customFieldName } from '@tandem/contracts/values';
import { fieldLabel } from '../../../app/conditions/condition-labels';
import { FieldInput } from '../../../app/custom-fields/FieldInput';
import { t } from '../../../lib/staff-texts';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import type { RuleNames } from './rule-labels';

type SetFieldAction = Extract<RuleAction, { type: 'set_field' }>;

interface SetFieldProps {
  action: SetFieldAction;
  error: string | undefined;
  names: RuleNames;
  onChange: (action: SetFieldAction) => void;
}

/** The custom field that a rule sets, and its value. An empty one clears the field. */
export function SetField({ action: { key, value }, error, names: { fields }, onChange }: SetFieldProps) {
  const inUse = fields?.filter(({ deleted_at }) => deleted_at === null) ?? [];
  const field = inUse.find((each) => each.key === key);
  const options = inUse.map((each) => ({ value: each.key, label: each.label }));
  if (key !== '' && !field) options.push({ value: key, label: fieldLabel(customFieldName(key), fields) });
  const isDeleted = key !== '' && fields !== undefined && !field;
  const fieldError = isDeleted ? t('settings.rules.field_no_longer_exists') : field ? undefined : error;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Field label={t('settings.rules.custom_field')} hideLabel error={fieldError}>
        {(control) => (
          <Select
            {...control}
            placeholder={t('settings.rules.choose_field')}
            value={key}
            options={options}
            onChange={(chosen) => onChange({ type: 'set_field', key: chosen, value: null })}
          />
        )}
      </Field>
      {field && (
        <FieldInput
          key={key}
          field={field}
          hideLabel
          value={value}
          hint={value === null ? t('settings.rules.empty_value_clears_field') : null}
          problem={error}
          onChange={(next) => onChange({ type: 'set_field', key, value: next })}
        />
      )}
    </div>
  );
}
