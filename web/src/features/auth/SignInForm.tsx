import type { MfaChallenge } from '@tandem/contracts';
import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { PasswordInput } from '../../ui/PasswordInput';
import { isChallenge, useSignInMutation } from './auth.api';
import { addressWith, useDestination } from '../../app/destination';
import { ResendConfirmation } from './ResendConfirmation';

const required = t('auth.email_and_password_are_required');

interface SignInFormProps {
  email: string;
  /** Why the user is back at this step. */
  notice?: string | undefined;
  /** Called when the password was correct and a code is required. */
  onChallenge: (challenge: MfaChallenge, email: string) => void;
}

export function SignInForm({ email, notice, onChallenge }: SignInFormProps) {
  const [signIn, { error, isLoading }] = useSignInMutation();
  const destination = useDestination();
  const form = useForm({ defaultValues: { email, password: '' } });
  const typed = useWatch({ control: form.control, name: 'email' });
  const { errors } = form.formState;
  const missing = errors.email ?? errors.password;
  const refused = error && !missing ? error : undefined;
  const submit = form.handleSubmit(async (values) => {
    const address = values.email.trim();
    const { data } = await signIn({ ...values, email: address });
    if (data && isChallenge(data)) onChallenge(data, address);
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {notice && !missing && !refused && <Alert tone="destructive">{notice}</Alert>}
      {missing && <Alert tone="destructive">{missing.message}</Alert>}
      {refused && (
        <Alert tone="destructive">
          {messageOf(refused, t('auth.sign_in_failed'))}
          {isProblem(refused) && refused.code === 'email.not_confirmed' && <ResendConfirmation email={form.getValues('email')} />}
        </Alert>
      )}
      <Field label={t('auth.email')} required>
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
      <Field label={t('auth.password')} required>
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
        {t('auth.sign_in')}
      </Button>
      {/* After the button in DOM order, so that Tab moves from the password directly to the button. */}
      <Link
        to={addressWith('/auth/forgot-password', destination)}
        state={{ email: typed.trim() }}
        className="self-center font-medium text-accent-text hover:underline"
      >
        {t('auth.forgot_your_password')}
      </Link>
    </form>
  );
}
