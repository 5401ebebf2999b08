import type { CreateSlaPolicy, SlaPolicy } from '@tandem/contracts';
import { defaultPriority, slaDefaults, slaLimits, type TicketPriority } from '@tandem/contracts/values';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
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
  response_time_hours: 'First response (hours)',
  resolution_time_hours: 'Resolution (hours)',
  escalation_time_hours: 'Escalate after (hours)',
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
  if (!/^\d+$/.test(typed.trim())) return 'Enter whole hours';
  if (Number(typed) < 1) return 'At least 1 hour';
  return Number(typed) > slaLimits.hours ? `At most ${slaLimits.hours} hours` : undefined;
}

function errorsOf(draft: Draft): Errors {
  const errors: Errors = {};
  if (draft.name.trim() === '') errors.name = 'Enter a name for the policy';
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
      notify.success(policy ? 'SLA policy saved.' : 'SLA policy created successfully.', replaced);
      onSaved();
      return {};
    }
    const fields = fieldProblems(error);
    if (fields.length === 0) notify.problem(error, 'Failed to save SLA policy.');
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
      <Field label="Name" required error={errors.name}>
        {(control) => (
          <Input {...control} maxLength={slaLimits.name} value={draft.name} onChange={(event) => set({ name: event.target.value })} />
        )}
      </Field>
      <Field label="Priority" hint="Only one policy per priority can be active.">
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
      <Switch label="Escalate overdue tickets" checked={draft.escalation_enabled} onChange={(on) => set({ escalation_enabled: on })} />
      {draft.escalation_enabled && <Hours {...props} field="escalation_time_hours" />}
      <Switch label="Active" checked={draft.is_active} onChange={(on) => set({ is_active: on })} />
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
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={form} variant="primary" busy={busy}>
        {policy ? 'Save' : 'Create policy'}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={policy ? 'Edit policy' : 'New policy'}
      description="Applies to new tickets and when priority changes."
      footer={footer}
    >
      <form id={form} noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Fields draft={draft} errors={errors} set={(changes) => setDraft({ ...draft, ...changes })} />
      </form>
    </Dialog>
  );
}
