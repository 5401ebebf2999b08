import { useForm } from 'react-hook-form';
import { Link, useSearchParams } from 'react-router-dom';
import { newPasswordHint, newPasswordRules } from '../../lib/password-rules';
import { fieldProblems, isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { useDocumentTitle } from '../../ui/PageHeader';
import { PasswordInput } from '../../ui/PasswordInput';
import { useResetPasswordMutation } from './auth.api';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';

const noLongerValid = t('auth.password_link_is_invalid');

function NewLink({ text }: { text: string }) {
  const destination = useDestination();
  return (
    <>
      <Alert tone="destructive">{text}</Alert>
      <Button asChild variant="primary" size="lg">
        <Link to={addressWith('/auth/forgot-password', destination)}>{t('auth.request_new_link')}</Link>
      </Button>
    </>
  );
}

function Done({ email }: { email: string }) {
  const destination = useDestination();
  return (
    <>
      <Alert tone="success">{t('auth.youve_been_signed_out_everywhere')}</Alert>
      <Button asChild variant="primary" size="lg">
        <Link to={addressWith('/auth', destination, { email })}>{t('auth.sign_in')}</Link>
      </Button>
    </>
  );
}

/** Target of the emailed link. The token is used only when the new password is submitted, because mail scanners fetch links, too. */
export function ResetPasswordPage() {
  useDocumentTitle(t('auth.set_new_password'));
  const [search] = useSearchParams();
  const token = search.get('token');
  const [reset, { data, error, isLoading }] = useResetPasswordMutation();
  const form = useForm({ defaultValues: { password: '' } });
  const refused = fieldProblems(error);
  const fieldError = form.formState.errors.password?.message ?? refused.find(({ path }) => path === 'password')?.message;
  // A malformed token (a truncated link) is treated like an expired one.
  const isOld = !token || (isProblem(error) && error.status === 410) || refused.some(({ path }) => path === 'token');
  return (
    <AuthFrame title={t('auth.set_new_password')}>
      <Card className="flex flex-col gap-4 p-5">
        {data && <Done email={data.email} />}
        {!data && isOld && <NewLink text={isProblem(error) && error.status === 410 ? messageOf(error, noLongerValid) : noLongerValid} />}
        {!data && !isOld && (
          <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit(({ password }) => reset({ token, password }))}>
            {error && !fieldError && <Alert tone="destructive">{messageOf(error, t('auth.couldnt_change_password'))}</Alert>}
            <Field label={t('auth.new_password')} required hint={newPasswordHint} error={fieldError}>
              {(control) => (
                <PasswordInput {...control} autoComplete="new-password" size="lg" {...form.register('password', newPasswordRules)} />
              )}
            </Field>
            <Button type="submit" variant="primary" size="lg" busy={isLoading}>
              {t('auth.set_new_password_button')}
            </Button>
          </form>
        )}
      </Card>
    </AuthFrame>
  );
}
