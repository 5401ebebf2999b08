import { useForm } from 'react-hook-form';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { PasswordInput } from '../../ui/PasswordInput';
import { Rich } from '../../ui/Rich';
import { useChangeEmailMutation } from './account.api';
import { Section } from './Section';

const invalid = t('account.enter_valid_email_address');
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
    <Section title={t('account.email')}>
      <p>
        <Rich text={t('account.you_sign_in_as')} tags={{ email: () => <strong className="font-semibold">{profile.email}</strong> }} />
      </p>
      {data && originalArgs && <Alert tone="success">{t('account.link_to_new_address_was_sent', { email: originalArgs.email })}</Alert>}
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        {error && Object.keys(errors).length === 0 && (
          <Alert tone="destructive">{messageOf(error, t('account.couldnt_change_address'))}</Alert>
        )}
        <Field label={t('account.new_email')} required error={errors.email?.message}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="email"
              {...form.register('email', { required: invalid, pattern: { value: /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/, message: invalid } })}
            />
          )}
        </Field>
        <Field label={t('account.current_password')} required error={errors.current_password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              {...form.register('current_password', { required: t('account.enter_your_current_password') })}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" className="self-start" busy={isLoading}>
          {t('account.change_email')}
        </Button>
      </form>
    </Section>
  );
}
