import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { newPasswordHint, newPasswordRules } from '../../lib/password-rules';
import { isProblem, messageOf } from '../../lib/problem';
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
    <Section title="Password">
      {isSuccess && <Alert tone="success">Your password has been changed. Your other devices have been signed out.</Alert>}
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {error && Object.keys(errors).length === 0 && (
          <Alert tone="destructive">{messageOf(error, 'Couldn’t change your password. Please try again.')}</Alert>
        )}
        {/* Lets password managers match the account. */}
        <input className="hidden" aria-hidden tabIndex={-1} name="username" autoComplete="username" value={profile.email} readOnly />
        <Field label="Current password" required error={errors.current_password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              {...form.register('current_password', { required: 'Enter your current password' })}
            />
          )}
        </Field>
        <Field label="New password" required hint={newPasswordHint} error={errors.new_password?.message}>
          {(control) => <PasswordInput {...control} autoComplete="new-password" {...form.register('new_password', newPasswordRules)} />}
        </Field>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" variant="primary" busy={isLoading}>
            Change password
          </Button>
          <Link to="/auth/forgot-password" state={{ email: profile.email }} className="text-accent-text hover:underline">
            Forgot your password?
          </Link>
        </div>
      </form>
    </Section>
  );
}
