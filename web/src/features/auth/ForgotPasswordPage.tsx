import { useForm } from 'react-hook-form';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { fieldProblems, messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { useRequestPasswordResetMutation } from './auth.api';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';

const invalid = 'Enter a valid email address';

/** Requests a password reset link. The response is the same whether or not the address is known. */
export function ForgotPasswordPage() {
  useDocumentTitle('Forgot your password?');
  const [search] = useSearchParams();
  const typed = (useLocation().state as { email?: string } | null)?.email;
  const destination = useDestination();
  const [ask, { data, error, isLoading }] = useRequestPasswordResetMutation();
  const form = useForm({ defaultValues: { email: typed ?? search.get('email') ?? '' } });
  const fieldError = form.formState.errors.email?.message ?? fieldProblems(error).find(({ path }) => path === 'email')?.message;
  const back = (
    <Button asChild variant="ghost" size="lg">
      <Link to={addressWith('/auth', destination, { email: form.getValues('email').trim() })}>Back to sign in</Link>
    </Button>
  );
  return (
    <AuthFrame title="Forgot your password?">
      <Card className="flex flex-col gap-4 p-5">
        {data ? (
          <Alert tone="success">
            If that address has an account, a link to set a new password is on its way. Check your spam folder, too.
          </Alert>
        ) : (
          <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit(({ email }) => ask({ email: email.trim() }))}>
            {error && !fieldError && <Alert tone="destructive">{messageOf(error, 'Couldn’t send the email. Please try again.')}</Alert>}
            <p className="text-muted">We’ll email you a link to set a new password.</p>
            <Field label="Email" required error={fieldError}>
              {(control) => (
                <Input
                  {...control}
                  type="email"
                  autoComplete="username"
                  size="lg"
                  {...form.register('email', {
                    required: invalid,
                    pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: invalid },
                  })}
                />
              )}
            </Field>
            <Button type="submit" variant="primary" size="lg" busy={isLoading}>
              Send the link
            </Button>
          </form>
        )}
        {back}
      </Card>
    </AuthFrame>
  );
}
