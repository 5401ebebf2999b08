import { ruleMoments, ruleTriggers, type RuleMoment } from '@tandem/contracts/values';
import { useId } from 'react';
import { t } from '../../../lib/staff-texts';
import { CheckRow } from '../../../ui/CheckRow';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { FormError } from '../FormError';
import { triggerLabels } from './outcome-labels';
import type { RuleDraft, RuleErrors } from './rule-form';

export interface PartProps {
  draft: RuleDraft;
  errors: RuleErrors;
  set: (part: Partial<RuleDraft>) => void;
}

const eventTriggers = ruleTriggers.filter((trigger) => trigger !== 'time_passed');

const sinceLabels: Record<RuleMoment, string> = {
  created: t('settings.rules.after_created'),
  updated: t('settings.rules.after_updated'),
  status_changed: t('settings.rules.after_status_changed'),
  customer_replied: t('settings.rules.after_customer_replied'),
  staff_replied: t('settings.rules.after_staff_replied'),
};
const sinceOptions = ruleMoments.map((value) => ({ value, label: sinceLabels[value] }));
const unitOptions = [
  { value: 'hours', label: t('settings.rules.hours') },
  { value: 'days', label: t('settings.rules.days') },
];

function Events({ draft, errors, set }: PartProps) {
  const errorId = useId();
  return (
    <div
      role="group"
      aria-label={t('settings.rules.events')}
      aria-describedby={errors.triggers && errorId}
      className="flex flex-col gap-2.5"
    >
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        {eventTriggers.map((trigger) => (
          <CheckRow
            key={trigger}
            label={triggerLabels[trigger]}
            checked={draft.triggers.includes(trigger)}
            onChange={(on) => set({ triggers: eventTriggers.filter((each) => (each === trigger ? on : draft.triggers.includes(each))) })}
          />
        ))}
      </div>
      {errors.triggers && <FormError id={errorId}>{errors.triggers}</FormError>}
    </div>
  );
}

function Time({ draft, errors, set }: PartProps) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Field label={t('settings.rules.amount')} hideLabel error={errors.amount} className="w-24">
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            maxLength={5}
            value={draft.amount}
            onChange={(event) => set({ amount: event.target.value })}
          />
        )}
      </Field>
      <div className="w-28">
        <Select
          label={t('settings.rules.unit')}
          value={draft.unit}
          options={unitOptions}
          onChange={(unit) => set({ unit: unit as RuleDraft['unit'] })}
        />
      </div>
      <div className="min-w-56 flex-1">
        <Select
          label={t('settings.rules.after')}
          value={draft.since}
          options={sinceOptions}
          onChange={(since) => set({ since: since as RuleMoment })}
        />
      </div>
    </div>
  );
}

const starts = [
  { value: 'event' as const, label: t('settings.rules.on_event') },
  { value: 'time' as const, label: t('settings.rules.after_time') },
];

/** What starts the rule: events, or a time after one. */
export function When(props: PartProps) {
  const { draft, set } = props;
  const name = useId();
  return (
    <div className="flex flex-col gap-3">
      <div role="radiogroup" aria-label={t('settings.rules.starts_by')} className="flex flex-wrap gap-x-5 gap-y-2">
        {starts.map(({ value, label }) => (
          <label key={value} className="flex items-center gap-2.5">
            <input
              type="radio"
              name={name}
              checked={draft.startsBy === value}
              onChange={() => set({ startsBy: value })}
              className="size-4 accent-accent touch:size-5"
            />
            {label}
          </label>
        ))}
      </div>
      {draft.startsBy === 'event' ? <Events {...props} /> : <Time {...props} />}
    </div>
  );
}
