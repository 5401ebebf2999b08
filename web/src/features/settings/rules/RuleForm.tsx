import { ruleLimits } from '@tandem/contracts/values';
import { hasErrors } from '../../../app/conditions/condition-form';
import { ConditionEditor } from '../../../app/conditions/ConditionEditor';
import { t } from '../../../lib/staff-texts';
import { Card } from '../../../ui/Card';
import { CheckRow } from '../../../ui/CheckRow';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { FormError } from '../FormError';
import { FormPart } from '../FormPart';
import type { RuleNames } from './rule-labels';
import { RuleSentence } from './RuleSentence';
import { Then } from './Then';
import type { RuleFormState } from './use-rule-form';
import { When } from './When';

function If({ form }: { form: RuleFormState }) {
  const { draft, errors, showsRowErrors, set } = form;
  if (!draft.condition) return <p className="text-muted">{t('settings.rules.nested_conditions')}</p>;
  return (
    <div className="flex flex-col gap-2">
      <ConditionEditor use="rule" draft={draft.condition} showsErrors={showsRowErrors} onChange={(condition) => set({ condition })} />
      {errors.condition && !hasErrors(draft.condition) && <FormError>{errors.condition}</FormError>}
    </div>
  );
}

const Options = ({ form: { draft, set } }: { form: RuleFormState }) => (
  <div className="flex flex-col gap-3">
    <CheckRow
      label={t('settings.rules.once_per_ticket')}
      description={t('settings.rules.about_once_per_ticket')}
      checked={draft.runs === 'once_per_ticket'}
      onChange={(once) => set({ runs: once ? 'once_per_ticket' : 'every_time' })}
    />
    <CheckRow
      label={t('settings.rules.stop_after')}
      description={t('settings.rules.about_stop_after')}
      checked={draft.stops}
      onChange={(stops) => set({ stops })}
    />
  </div>
);

interface RuleFormProps {
  form: RuleFormState;
  names: RuleNames;
  /** The rule as a sentence, as it is in the form. */
  showsSentence: boolean;
}

/** The fields of a rule: its name, When, If and Then. */
export function RuleForm({ form, names, showsSentence }: RuleFormProps) {
  const { draft, errors, rule, set } = form;
  return (
    <Card>
      <div className="border-b p-4">
        <Field label={t('settings.rules.name')} required error={errors.name} className="max-w-md">
          {(control) => (
            <Input
              {...control}
              dir="auto"
              maxLength={ruleLimits.name}
              placeholder={t('settings.rules.refunds_to_ada')}
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
      </div>
      <FormPart title={t('settings.rules.when')} hint={t('settings.rules.about_when')}>
        <When draft={draft} errors={errors} set={set} />
      </FormPart>
      <FormPart title={t('settings.rules.if')} hint={t('settings.rules.about_if')}>
        <If form={form} />
      </FormPart>
      <FormPart title={t('settings.rules.then')} hint={t('settings.rules.about_then')}>
        <Then draft={draft} errors={errors} set={set} names={names} />
      </FormPart>
      <FormPart title={t('settings.rules.options')} hint={t('settings.rules.about_options')}>
        <Options form={form} />
      </FormPart>
      {showsSentence && (
        <p className="rounded-b-lg bg-sunken px-4 py-3 text-pretty [overflow-wrap:anywhere] text-muted">
          <RuleSentence rule={rule} names={names} />
        </p>
      )}
    </Card>
  );
}
