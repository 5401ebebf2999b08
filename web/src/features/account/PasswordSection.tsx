import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { newPasswordHint, newPasswordRules } from '../../lib/password-rules';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { PasswordInput } from '../../ui/PasswordInput';
import { useChangePasswordMutation } from './account.api';
import { Section } from './Section';

const empty = { current_password: '', new_password: '' };

export function PasswordSection() {
  const { profile } = useSession();
  const [change, { isSuccess, error, isLoading }] = useChangePasswordMutation();
  const form = useForm({ defaultValues: empty });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const answer = await change(values);
    if (!answer.error) return form.reset(empty);
    if (isProblem(answer.error) && answer.error.code === 'password.wrong')
      form.setError('current_password', { message: messageOf(answer.error, '') }, { shouldFocus: true });
    showFieldProblems(form, answer.error);
  });
  return (
    <Section title={t('account.password')}>
      {isSuccess && <Alert tone="success">{t('account.your_password_has_been_changed')}</Alert>}
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {error && Object.keys(errors).length === 0 && (
          <Alert tone="destructive">{messageOf(error, t('account.couldnt_change_password'))}</Alert>
        )}
        {/* Lets password managers match the account. */}
        <input className="hidden" aria-hidden tabIndex={-1} name="username" autoComplete="username" value={profile.email} readOnly />
        <Field label={t('account.current_password')} required error={errors.current_password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              {...form.register('current_password', { required: t('account.enter_your_current_password') })}
            />
          )}
        </Field>
        <Field label={t('account.new_password')} required hint={newPasswordHint} error={errors.new_password?.message}>
          {(control) => <PasswordInput {...control} autoComplete="new-password" {...form.register('new_password', newPasswordRules)} />}
        </Field>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="primary" busy={isLoading}>
            {t('account.change_password')}
          </Button>
          <Link to="/auth/forgot-password" state={{ email: profile.email }} className="text-accent-text hover:underline">
            {t('account.forgot_your_password')}
          </Link>
        </div>
      </form>
    </Section>
  );
}
