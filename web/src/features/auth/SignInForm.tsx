import { useForm } from 'react-hook-form';
import { isProblem, messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useSignInMutation } from './auth.api';
import { PasswordInput } from './PasswordInput';
import { ResendConfirmation } from './ResendConfirmation';

const required = 'Email and password are required';

export function SignInForm({ email }: { email: string }) {
  const [signIn, { error, isLoading }] = useSignInMutation();
  const form = useForm({ defaultValues: { email, password: '' } });
  const { errors } = form.formState;
  const missing = errors.email ?? errors.password;
  const refused = error && !missing ? error : undefined;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.handleSubmit((values) => signIn({ ...values, email: values.email.trim() }))}
    >
      {missing && <Alert tone="destructive">{missing.message}</Alert>}
      {refused && (
        <Alert tone="destructive">
          {messageOf(refused, 'Sign-in failed. Please try again.')}
          {isProblem(refused) && refused.code === 'email.not_confirmed' && <ResendConfirmation email={form.getValues('email')} />}
        </Alert>
      )}
      <Field label="Email" required>
        {(control) => (
          <Input
            {...control}
            aria-invalid={Boolean(errors.email) || undefined}
            type="email"
            autoComplete="username"
            size="lg"
            {...form.register('email', { required })}
          />
        )}
      </Field>
      <Field label="Password" required>
        {(control) => (
          <PasswordInput
            {...control}
            aria-invalid={Boolean(errors.password) || undefined}
            autoComplete="current-password"
            size="lg"
            {...form.register('password', { required })}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isLoading} className="mt-1">
        Sign In
      </Button>
    </form>
  );
}
