import { useForm } from 'react-hook-form';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { isProblem, messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { PasswordInput } from '../../ui/PasswordInput';
import { useChangeEmailMutation } from './account.api';
import { Section } from './Section';

const invalid = 'Enter a valid email address';
const empty = { email: '', current_password: '' };

/** Changes the sign-in address. It takes effect when the emailed link is opened, so a typo cannot lock the user out. */
export function EmailSection() {
  const { profile } = useSession();
  const [change, { data, error, isLoading, originalArgs }] = useChangeEmailMutation();
  const form = useForm({ defaultValues: empty });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const answer = await change({ ...values, email: values.email.trim() });
    if (!answer.error) return form.reset(empty);
    if (isProblem(answer.error) && answer.error.code === 'password.wrong')
      form.setError('current_password', { message: messageOf(answer.error, '') }, { shouldFocus: true });
    showFieldProblems(form, answer.error);
  });
  return (
    <Section title="Email">
      <p>
        You sign in as <strong className="font-semibold">{profile.email}</strong>.
      </p>
      {data && originalArgs && (
        <Alert tone="success">
          We’ve sent a link to {originalArgs.email}. Open it to change your address. Until then, your current address stays in use.
        </Alert>
      )}
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {error && Object.keys(errors).length === 0 && (
          <Alert tone="destructive">{messageOf(error, 'Couldn’t change your address. Please try again.')}</Alert>
        )}
        <Field label="New email" required error={errors.email?.message}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="email"
              {...form.register('email', { required: invalid, pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: invalid } })}
            />
          )}
        </Field>
        <Field label="Current password" required error={errors.current_password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              {...form.register('current_password', { required: 'Enter your current password' })}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" className="self-start" busy={isLoading}>
          Change email
        </Button>
      </form>
    </Section>
  );
}
