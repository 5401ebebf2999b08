import { ticketLimits } from '@tandem/contracts/values';
import { useId, useState } from 'react';
import { useFocusFirstError } from '../../../lib/focus-error';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { useCreateErasureMutation } from './privacy.api';

const choices = [
  { hours: 24, label: t('settings.privacy.in_24_hours') },
  { hours: 168, label: t('settings.privacy.in_7_days') },
  { hours: 0, label: t('settings.privacy.now') },
];

function When({ hours, onChange }: { hours: number; onChange: (hours: number) => void }) {
  const id = useId();
  return (
    <fieldset aria-describedby={id}>
      <legend className="mb-1.5 font-medium">{t('settings.privacy.when')}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {choices.map((choice) => (
          <label key={choice.hours} className="flex items-center gap-2.5">
            <input
              type="radio"
              name={id}
              checked={hours === choice.hours}
              onChange={() => onChange(choice.hours)}
              className="size-4 accent-accent touch:size-5"
            />
            {choice.label}
          </label>
        ))}
      </div>
      <p id={id} className={`mt-1.5 text-xs text-pretty ${hours === 0 ? 'text-red-text' : 'text-muted'}`}>
        {hours === 0 ? t('settings.privacy.cannot_be_undone') : t('settings.privacy.can_be_cancelled')}
      </p>
    </fieldset>
  );
}

/** Requests the erasure, after the admin has typed the address again. */
export function ScheduleErasure({ email, onScheduled }: { email: string; onScheduled: (isImmediate: boolean) => void }) {
  const id = useId();
  const [hours, setHours] = useState(24);
  const [typed, setTyped] = useState('');
  const [errors, setErrors] = useState<{ confirmation?: string; other?: string }>({});
  const [keyOf] = useState(keyPerText);
  const [create, { isLoading }] = useCreateErasureMutation();
  useFocusFirstError(id, errors);
  const schedule = async () => {
    if (typed.trim().toLowerCase() !== email) return setErrors({ confirmation: t('settings.privacy.addresses_differ') });
    const { error } = await create({ email, delay_hours: hours, key: keyOf(`${hours} ${email}`) });
    if (error) return setErrors({ other: messageOf(error, t('settings.privacy.couldnt_erase')) });
    onScheduled(hours === 0);
  };
  return (
    <form
      id={id}
      noValidate
      aria-label={t('settings.privacy.erase_customer')}
      className="flex flex-col gap-4 border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        void schedule();
      }}
    >
      <When hours={hours} onChange={setHours} />
      <Field label={t('settings.privacy.type_again')} error={errors.confirmation} required className="max-w-md">
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            maxLength={ticketLimits.email}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </Field>
      {errors.other && <Alert tone="destructive">{errors.other}</Alert>}
      <Button type="submit" variant="danger" busy={isLoading} className="self-start">
        {hours === 0 ? t('settings.privacy.erase_now') : t('settings.privacy.schedule_erasure')}
      </Button>
    </form>
  );
}
