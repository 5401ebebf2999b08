import type { CreateSlaPolicy, SlaPolicy } from '@tandem/contracts';
import { defaultPriority, slaDefaults, slaLimits, type TicketPriority } from '@tandem/contracts/values';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { priorityOptions } from '../../../lib/ticket-badges';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { Switch } from '../../../ui/Switch';
import { replacedBy } from './replaced-policy';
import { useCreateSlaPolicyMutation, useUpdateSlaPolicyMutation } from './sla-settings.api';

const hourFields = ['response_time_hours', 'resolution_time_hours', 'escalation_time_hours'] as const;
type HourField = (typeof hourFields)[number];
const labels: Record<HourField, string> = {
  response_time_hours: t('settings.sla.first_response_hours'),
  resolution_time_hours: t('settings.sla.resolution_hours'),
  escalation_time_hours: t('settings.sla.escalate_after_hours'),
};
/** Hours as typed text, because an empty field is not zero. */
type Draft = Omit<CreateSlaPolicy, HourField> & Record<HourField, string>;
type Errors = Partial<Record<string, string>>;

const draftOf = (policy: SlaPolicy | undefined): Draft => {
  const { name, priority_level, response_time_hours, resolution_time_hours, escalation_enabled, escalation_time_hours, is_active } =
    policy ?? {
      ...slaDefaults,
      name: '',
      priority_level: defaultPriority,
    };
  return {
    name,
    priority_level,
    escalation_enabled,
    is_active,
    response_time_hours: String(response_time_hours),
    resolution_time_hours: String(resolution_time_hours),
    escalation_time_hours: String(escalation_time_hours),
  };
};

function hoursProblem(typed: string): string | undefined {
  if (!/^\d+$/.test(typed.trim())) return t('settings.sla.enter_whole_hours');
  if (Number(typed) < 1) return t('settings.sla.at_least_1_hour');
  return Number(typed) > slaLimits.hours ? t('settings.sla.at_most_hours_hours', { hours: slaLimits.hours }) : undefined;
}

function errorsOf(draft: Draft): Errors {
  const errors: Errors = {};
  if (draft.name.trim() === '') errors.name = t('settings.sla.enter_name_for_policy');
  for (const field of hourFields) {
    const problem = hoursProblem(draft[field]);
    if (problem && (field !== 'escalation_time_hours' || draft.escalation_enabled)) errors[field] = problem;
  }
  return errors;
}

const policyOf = (draft: Draft): CreateSlaPolicy => ({
  ...draft,
  name: draft.name.trim(),
  response_time_hours: Number(draft.response_time_hours),
  resolution_time_hours: Number(draft.resolution_time_hours),
  // Without escalation the field is hidden, so the user could not correct an invalid value.
  escalation_time_hours: hoursProblem(draft.escalation_time_hours)
    ? slaDefaults.escalation_time_hours
    : Number(draft.escalation_time_hours),
});

/** Creates or updates the policy. The idempotency key ensures that the same draft sent twice creates one policy. */
function useSave(policy: SlaPolicy | undefined, policies: readonly SlaPolicy[], onSaved: () => void) {
  const [key] = useState(() => crypto.randomUUID());
  const [create, creation] = useCreateSlaPolicyMutation();
  const [update, change] = useUpdateSlaPolicyMutation();
  const save = async (draft: Draft): Promise<Errors> => {
    const { error } = await (policy ? update({ id: policy.id, changes: policyOf(draft) }) : create({ policy: policyOf(draft), key }));
    if (!error) {
      const replaced = replacedBy({ ...policyOf(draft), id: policy?.id }, policies);
      notify.success(policy ? t('settings.sla.sla_policy_saved') : t('settings.sla.sla_policy_created_successfully'), replaced);
      onSaved();
      return {};
    }
    const fields = fieldProblems(error);
    if (fields.length === 0) notify.problem(error, t('settings.sla.failed_to_save_sla_policy'));
    return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
  };
  return { save, busy: creation.isLoading || change.isLoading };
}

interface FieldsProps {
  draft: Draft;
  errors: Errors;
  set: (changes: Partial<Draft>) => void;
}

function Hours({ field, draft, errors, set }: FieldsProps & { field: HourField }) {
  return (
    <Field label={labels[field]} error={errors[field]} className="min-w-40 flex-1">
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          maxLength={6}
          value={draft[field]}
          onChange={(event) => set({ [field]: event.target.value })}
        />
      )}
    </Field>
  );
}

function Fields(props: FieldsProps) {
  const { draft, errors, set } = props;
  return (
    <>
      <Field label={t('settings.sla.name')} required error={errors.name}>
        {(control) => (
          <Input {...control} maxLength={slaLimits.name} value={draft.name} onChange={(event) => set({ name: event.target.value })} />
        )}
      </Field>
      <Field label={t('settings.sla.priority')} hint={t('settings.sla.only_one_policy_per_priority')}>
        {(control) => (
          <Select
            {...control}
            value={draft.priority_level}
            options={priorityOptions}
            onChange={(value) => set({ priority_level: value as TicketPriority })}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-4">
        <Hours {...props} field="response_time_hours" />
        <Hours {...props} field="resolution_time_hours" />
      </div>
      <Switch
        label={t('settings.sla.escalate_overdue_tickets')}
        checked={draft.escalation_enabled}
        onChange={(on) => set({ escalation_enabled: on })}
      />
      {draft.escalation_enabled && <Hours {...props} field="escalation_time_hours" />}
      <Switch label={t('settings.sla.active')} checked={draft.is_active} onChange={(on) => set({ is_active: on })} />
    </>
  );
}

interface PolicyDialogProps {
  policy?: SlaPolicy | undefined;
  /** The existing policies, to show which one the saved policy deactivates. */
  policies: readonly SlaPolicy[];
  onClose: () => void;
}

export function PolicyDialog({ policy, policies, onClose }: PolicyDialogProps) {
  const form = useId();
  const [draft, setDraft] = useState(() => draftOf(policy));
  const [errors, setErrors] = useState<Errors>({});
  const { save, busy } = useSave(policy, policies, onClose);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = errorsOf(draft);
    setErrors(found);
    if (Object.keys(found).length === 0) setErrors(await save(draft));
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('settings.sla.cancel')}</Button>
      <Button type="submit" form={form} variant="primary" busy={busy}>
        {policy ? t('settings.sla.save') : t('settings.sla.create_policy')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={policy ? t('settings.sla.edit_policy') : t('settings.sla.new_policy')}
      description={t('settings.sla.when_policies_apply')}
      footer={footer}
    >
      <form id={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Fields draft={draft} errors={errors} set={(changes) => setDraft({ ...draft, ...changes })} />
      </form>
    </Dialog>
  );
}
