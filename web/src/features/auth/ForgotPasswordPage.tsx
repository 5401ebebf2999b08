import { useForm } from 'react-hook-form';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { fieldProblems, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { useRequestPasswordResetMutation } from './auth.api';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';

const invalid = t('auth.enter_valid_email_address');

/** Requests a password reset link. The response is the same whether or not the address is known. */
export function ForgotPasswordPage() {
  useDocumentTitle(t('auth.forgot_your_password'));
  const [search] = useSearchParams();
  const typed = (useLocation().state as { email?: string } | null)?.email;
  const destination = useDestination();
  const [ask, { data, error, isLoading }] = useRequestPasswordResetMutation();
  const form = useForm({ defaultValues: { email: typed ?? search.get('email') ?? '' } });
  const fieldError = form.formState.errors.email?.message ?? fieldProblems(error).find(({ path }) => path === 'email')?.message;
  const back = (
    <Button asChild variant="ghost" size="lg">
      <Link to={addressWith('/auth', destination, { email: form.getValues('email').trim() })}>{t('auth.back_to_sign_in')}</Link>
    </Button>
  );
  return (
    <AuthFrame title={t('auth.forgot_your_password')}>
      <Card className="flex flex-col gap-4 p-5">
        {data ? (
          <Alert tone="success">{t('auth.password_link_is_on_its_way')}</Alert>
        ) : (
          <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit(({ email }) => ask({ email: email.trim() }))}>
            {error && !fieldError && <Alert tone="destructive">{messageOf(error, t('auth.couldnt_send_email'))}</Alert>}
            <p className="text-muted">{t('auth.what_forgot_password_does')}</p>
            <Field label={t('auth.email')} required error={fieldError}>
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
              {t('auth.send_link')}
            </Button>
          </form>
        )}
        {back}
      </Card>
    </AuthFrame>
  );
}
