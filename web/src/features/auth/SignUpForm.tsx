import { passwordRules } from '@tandem/contracts/values';
import { MailCheck } from 'lucide-react';
import { useForm, type FieldPath, type UseFormReturn } from 'react-hook-form';
import { useDestination } from '../../app/destination';
import { showFieldProblems } from '../../lib/form-errors';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Rich } from '../../ui/Rich';
import { useReadInstallationQuery, useSignUpMutation, type SignUpForm as Values } from './auth.api';
import { PasswordInput } from '../../ui/PasswordInput';
import { saveDestination } from './saved-destination';
import { ResendConfirmation } from './ResendConfirmation';

const required = t('auth.email_and_password_are_required');

function CheckYourEmail({ email }: { email: string }) {
  return (
    <div className="flex flex-col items-center gap-3 py-4 text-center">
      <span className="grid size-11 place-items-center rounded-xl bg-green-soft text-green-text">
        <MailCheck className="size-5" aria-hidden />
      </span>
      <p role="status" className="text-md font-medium text-balance">
        {t('auth.check_your_email')}
      </p>
      <p className="text-muted">
        <Rich text={t('auth.link_went_to')} tags={{ email: () => <span className="font-medium text-ink">{email}</span> }} />
      </p>
      <div className="text-muted">
        <ResendConfirmation email={email} />
      </div>
    </div>
  );
}

interface NameFieldsProps {
  form: UseFormReturn<Values>;
  problemOf: (name: FieldPath<Values>) => string | undefined;
}
function NameFields({ form, problemOf }: NameFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('auth.first_name')} optional error={problemOf('first_name')}>
        {(control) => <Input {...control} autoComplete="given-name" maxLength={100} size="lg" {...form.register('first_name')} />}
      </Field>
      <Field label={t('auth.last_name')} optional error={problemOf('last_name')}>
        {(control) => <Input {...control} autoComplete="family-name" maxLength={100} size="lg" {...form.register('last_name')} />}
      </Field>
    </div>
  );
}

/** The form, unless this installation creates no accounts here. */
export function SignUpForm() {
  // Without an answer the form is shown: the server decides.
  const { data: installation } = useReadInstallationQuery();
  if (installation?.sign_up === 'closed') return <Alert>{t('auth.new_accounts_cant_be_created')}</Alert>;
  return (
    <div className="flex flex-col gap-4">
      {installation?.sign_up === 'invite' && <Alert>{t('auth.you_need_invitation')}</Alert>}
      <AccountForm />
    </div>
  );
}

const passwordHint = t('auth.min_length', { minLength: passwordRules.minLength });

function AccountForm() {
  const [signUp, { data, error, isLoading }] = useSignUpMutation();
  const destination = useDestination();
  const form = useForm<Values>({ defaultValues: { first_name: '', last_name: '', email: '', password: '' } });
  const { errors } = form.formState;
  if (data) return <CheckYourEmail email={form.getValues('email').trim()} />;
  const submit = form.handleSubmit(async (values) => {
    const email = values.email.trim();
    const answer = await signUp({ ...values, email });
    if (answer.data) saveDestination(email, destination);
    showFieldProblems(form, answer.error);
  });
  const missing = errors.email?.type === 'required' || errors.password?.type === 'required';
  const fieldError = (name: FieldPath<Values>) => (errors[name]?.type === 'required' ? undefined : errors[name]?.message);
  const invalid = (name: FieldPath<Values>) => (errors[name] ? true : undefined);
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {missing && <Alert tone="destructive">{required}</Alert>}
      {error && Object.keys(errors).length === 0 && <Alert tone="destructive">{messageOf(error, t('auth.sign_up_failed'))}</Alert>}
      <NameFields form={form} problemOf={fieldError} />
      <Field label={t('auth.email')} required error={fieldError('email')}>
        {(control) => (
          <Input
            {...control}
            aria-invalid={invalid('email')}
            type="email"
            autoComplete="email"
            size="lg"
            {...form.register('email', {
              required,
              pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: t('auth.enter_valid_email_address') },
            })}
          />
        )}
      </Field>
      <Field label={t('auth.password')} required hint={passwordHint} error={fieldError('password')}>
        {(control) => (
          <PasswordInput
            {...control}
            aria-invalid={invalid('password')}
            autoComplete="new-password"
            size="lg"
            {...form.register('password', {
              required,
              minLength: { value: passwordRules.minLength, message: t('auth.password_is_too_short') },
              maxLength: { value: passwordRules.maxLength, message: t('auth.password_is_too_long') },
            })}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isLoading} className="mt-1">
        {t('auth.sign_up')}
      </Button>
    </form>
  );
}
