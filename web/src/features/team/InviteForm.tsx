import type { Role } from '@tandem/contracts/values';
import { UserPlus } from 'lucide-react';
import { useId, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { notify } from '../../lib/notify';
import { fieldProblems, isProblem, messageOf } from '../../lib/problem';
import { roleOptions, roleTexts } from '../../lib/roles';
import { t } from '../../lib/staff-texts';
import { keyPerText } from '../../lib/unique';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Select } from '../../ui/Select';
import { useCreateInvitationMutation } from './team.api';

interface Values {
  email: string;
  role: Role;
}
/** New members are agents by default. */
const empty: Values = { email: '', role: 'agent' };
const blank = t('team.enter_email_address_of_person');

/** The server's error about this email address, shown at the field. */
function addressProblem(error: unknown): string | undefined {
  const field = fieldProblems(error).find(({ path }) => path === 'email')?.message;
  const isAboutAddress = isProblem(error) && (error.code === 'invitation.already_member' || error.code === 'invitation.pending');
  return field ?? (isAboutAddress ? messageOf(error, '') : undefined);
}

const isUnanswered = (error: unknown) => isProblem(error) && (error.status === 0 || error.status >= 500);

/** The permissions of each role, with the chosen role emphasized. */
function RoleDescriptions({ role }: { role: Role }) {
  return (
    <dl className="grid gap-1.5 text-xs sm:grid-cols-[7rem_minmax(0,1fr)]">
      {roleOptions.map(({ value, label }) => (
        <div key={value} className="contents">
          <dt className={value === role ? 'font-semibold' : 'text-muted'}>{label}</dt>
          <dd className="text-muted max-sm:mb-1">{roleTexts[value].description}</dd>
        </div>
      ))}
    </dl>
  );
}

export function InviteForm() {
  const id = useId();
  const form = useForm<Values>({ defaultValues: empty });
  const [invite, { isLoading }] = useCreateInvitationMutation();
  // Submitting again after a lost response reuses the key: one invitation, one email. After a response, it is a new invitation.
  const [keyOf] = useState(keyPerText);
  const [answers, setAnswers] = useState(0);
  const role = useWatch({ control: form.control, name: 'role' });
  const submit = form.handleSubmit(async (values) => {
    const wanted = { ...values, email: values.email.trim() };
    const { error } = await invite({ ...wanted, key: keyOf(JSON.stringify([wanted, answers])) });
    if (!isUnanswered(error)) setAnswers(answers + 1);
    const message = addressProblem(error);
    if (message) {
      form.setError('email', { message }, { shouldFocus: true });
      return notify.error(t('team.failed_to_send_invitation'));
    }
    if (error) return notify.problem(error, t('team.failed_to_send_invitation'));
    form.reset(empty);
    form.setFocus('email');
    notify.success(t('team.invitation_sent'), t('team.link_in_email_to_email', { email: wanted.email }));
  });
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.invite_team_member')} />
      <form noValidate className="flex flex-col gap-4 p-4" onSubmit={submit}>
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
          <Field label={t('team.email')} required error={form.formState.errors.email?.message}>
            {(control) => (
              <Input
                {...control}
                type="email"
                autoComplete="off"
                placeholder="colleague@example.com"
                maxLength={254}
                {...form.register('email', {
                  validate: (value) => value.trim() !== '' || blank,
                  pattern: { value: /^\s*([^\s@]+@[^\s@]+\.[^\s@]+\s*)?$/, message: t('team.enter_valid_email_address') },
                })}
              />
            )}
          </Field>
          <Field label={t('team.role')}>
            {(control) => (
              <Controller
                control={form.control}
                name="role"
                render={({ field }) => <Select {...control} value={field.value} options={roleOptions} onChange={field.onChange} />}
              />
            )}
          </Field>
        </div>
        <RoleDescriptions role={role} />
        <Button type="submit" variant="primary" busy={isLoading} className="self-start">
          {!isLoading && <UserPlus aria-hidden />}
          {t('team.send_invitation')}
        </Button>
      </form>
    </Card>
  );
}
