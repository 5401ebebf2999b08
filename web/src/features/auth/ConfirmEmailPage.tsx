import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Spinner } from '../../ui/Spinner';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';
import { useConfirmEmailMutation, useResendConfirmationMutation } from './auth.api';
import { consumeDestination } from './saved-destination';

function ResendForm() {
  const [resend, { data, error, isLoading }] = useResendConfirmationMutation();
  const form = useForm({ defaultValues: { email: '' } });
  if (data) return <Alert tone="success">{t('auth.confirmation_is_on_its_way')}</Alert>;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit(({ email }) => resend({ email: email.trim() }))}>
      <Field
        label={t('auth.email')}
        required
        error={form.formState.errors.email?.message ?? (error ? messageOf(error, t('auth.couldnt_send_email')) : undefined)}
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="email"
            size="lg"
            {...form.register('email', { required: t('auth.enter_valid_email_address') })}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isLoading}>
        {t('auth.resend_confirmation_email')}
      </Button>
    </form>
  );
}

/**
 * Target of the emailed link. It confirms with a POST, so that email scanners, which only fetch the link, do not use it up. The browser
 * that signed up is signed in and continues; any other browser is redirected to the sign-in page.
 */
export function ConfirmEmailPage() {
  useDocumentTitle(t('auth.confirm_your_email'));
  const [search] = useSearchParams();
  const token = search.get('token');
  const destination = useDestination();
  const [confirm, { data, error }] = useConfirmEmailMutation();
  const { data: session } = useReadSessionQuery(undefined, { skip: !data?.session });
  const [next, setNext] = useState<string>();
  const sent = useRef(false);
  useEffect(() => {
    if (!token || sent.current) return;
    sent.current = true;
    void confirm({ token }).then(({ data }) => data && setNext(consumeDestination(data.email) ?? destination));
  }, [token, confirm, destination]);
  const failed = error ?? (token ? undefined : { missing: true });
  return (
    <AuthFrame title={t('auth.confirm_your_email')}>
      <Card className="flex flex-col gap-4 p-5" aria-live="polite" aria-busy={!next && !failed}>
        {!next && !failed && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label={t('auth.confirming_your_email')} />
            {t('auth.confirming_your_email')}
          </p>
        )}
        {session && next && <Navigate to={next} replace />}
        {data && !data.session && next && (
          <>
            <Alert tone="success">{t('auth.email_is_confirmed')}</Alert>
            <Button asChild variant="primary" size="lg">
              <Link to={addressWith('/auth', next, { email: data.email })}>{t('auth.sign_in')}</Link>
            </Button>
          </>
        )}
        {failed && (
          <>
            <Alert tone="destructive">{messageOf(error, t('auth.confirmation_link_is_invalid'))}</Alert>
            <ResendForm />
          </>
        )}
      </Card>
    </AuthFrame>
  );
}
