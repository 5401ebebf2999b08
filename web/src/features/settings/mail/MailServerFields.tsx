import type { MailServer } from '@tandem/contracts';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { isFormProblem, showFieldProblems } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { SaveBar } from '../../../ui/SaveBar';
import { Select } from '../../../ui/Select';
import { unsavedServer } from './mail-drafts';
import { useSaveMailServerMutation, type MailServerForm } from './mail-settings.api';
import { useKeptValues } from './use-kept-values';

const labels: Record<keyof MailServerForm, string> = {
  from_address: t('settings.mail.sender_address'),
  host: t('settings.mail.smtp_server'),
  port: t('settings.mail.port'),
  security: t('settings.mail.encryption'),
  username: t('settings.mail.username'),
  password: t('settings.mail.password'),
};

const empty = { host: '', port: 587, security: 'starttls' as const, username: '', from_address: '' };

/** Without `none`, because the password would be sent in plain text. */
const securities: { value: MailServerForm['security']; label: string }[] = [
  { value: 'starttls', label: t('settings.mail.starttls') },
  { value: 'tls', label: t('settings.mail.tls') },
];
const usualPort = { starttls: 587, tls: 465, none: 25 };

type TextName = 'host' | 'username' | 'from_address';

interface TextFieldProps {
  form: UseFormReturn<MailServerForm>;
  name: TextName;
  placeholder: string;
  /** The error message if the field is empty. If omitted, the field is optional. */
  missing?: string;
}

function TextField({ form, name, placeholder, missing }: TextFieldProps) {
  return (
    <Field label={labels[name]} required={missing !== undefined} error={form.formState.errors[name]?.message}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          {...form.register(name, { validate: (value) => missing === undefined || value.trim() !== '' || missing })}
        />
      )}
    </Field>
  );
}

/** Settings of the SMTP server; empty if there is none. */
export function MailServerFields({ server }: { server: MailServer | null }) {
  const [save, { error, isLoading, reset }] = useSaveMailServerMutation();
  const { host, port, security, username, from_address } = server ?? empty;
  const form = useForm<MailServerForm>({ values: { host, port, security, username: username ?? '', from_address, password: '' } });
  const chosen = useWatch({ control: form.control, name: 'security' });
  const changed = useKeptValues(form, unsavedServer, labels);
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const answer = await save(values);
    if (!answer.error) {
      form.reset({ ...values, password: '' });
      return notify.success(t('settings.mail.server_saved'));
    }
    showFieldProblems(form, answer.error);
  });
  const discard = () => {
    form.reset();
    reset();
  };
  const setSecurity = (next: MailServerForm['security']) => {
    if (form.getValues('port') === usualPort[chosen]) form.setValue('port', usualPort[next], { shouldDirty: true });
    form.setValue('security', next, { shouldDirty: true });
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {error && isFormProblem(error, form.getValues()) && (
        <Alert tone="destructive">{messageOf(error, t('settings.mail.failed_to_save_settings'))}</Alert>
      )}
      <TextField form={form} name="from_address" placeholder="support@example.com" missing={t('settings.mail.enter_sender_address')} />
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-3 sm:grid-cols-[minmax(0,1fr)_6rem_9rem]">
        <TextField form={form} name="host" placeholder="smtp.example.com" missing={t('settings.mail.enter_smtp_server')} />
        <Field label={labels.port} required error={errors.port?.message}>
          {(control) => <Input {...control} type="number" inputMode="numeric" {...form.register('port', { valueAsNumber: true })} />}
        </Field>
        <Field label={labels.security} error={errors.security?.message}>
          {(control) => (
            <Select {...control} value={chosen} options={securities} onChange={(next) => setSecurity(next as MailServerForm['security'])} />
          )}
        </Field>
      </div>
      <TextField form={form} name="username" placeholder="support@example.com" />
      <Field
        label={labels.password}
        error={errors.password?.message}
        hint={server?.username ? t('settings.mail.password_is_set') : t('settings.mail.many_providers_require_app_password')}
      >
        {(control) => <Input {...control} type="password" autoComplete="new-password" {...form.register('password')} />}
      </Field>
      <p className="text-xs text-muted">{t('settings.mail.test_email_before_saving')}</p>
      <SaveBar
        label={isLoading ? t('settings.mail.sending_test_email') : t('settings.mail.test_and_save')}
        changed={changed}
        busy={isLoading}
        onDiscard={discard}
      />
    </form>
  );
}
