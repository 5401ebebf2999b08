import type { Mailbox } from '@tandem/contracts';
import { useForm, useWatch } from 'react-hook-form';
import { isFormProblem, showFieldProblems } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { SaveBar } from '../../../ui/SaveBar';
import { Switch } from '../../../ui/Switch';
import { unsavedMailbox } from './mail-drafts';
import { useSaveMailboxMutation, type MailboxForm } from './mail-settings.api';
import { useKeptValues } from './use-kept-values';

const labels: Record<keyof MailboxForm, string> = {
  host: t('settings.mail.imap_server'),
  port: t('settings.mail.port'),
  username: t('settings.mail.username'),
  password: t('settings.mail.password'),
  folder: t('settings.mail.folder'),
  is_active: t('settings.mail.active'),
};

const empty = { host: '', port: 993, username: '', folder: 'INBOX', is_active: true };

/** The form, and saving it: the service opens the mailbox first. */
function useMailboxForm(mailbox: Mailbox | null) {
  const [save, { error, isLoading, reset }] = useSaveMailboxMutation();
  const { host, port, username, folder, is_active } = mailbox ?? empty;
  const form = useForm<MailboxForm>({ values: { host, port, username, folder, is_active, password: '' } });
  const changed = useKeptValues(form, unsavedMailbox, labels);
  const submit = form.handleSubmit(async (values) => {
    const answer = await save(values);
    if (!answer.error) {
      form.reset({ ...values, password: '' });
      return notify.success(t('settings.mail.settings_saved'));
    }
    showFieldProblems(form, answer.error);
  });
  const discard = () => {
    form.reset();
    reset();
  };
  return { form, changed, error, isLoading, submit, discard };
}

/** Settings of the mailbox; empty if there is none. */
export function MailboxFields({ mailbox }: { mailbox: Mailbox | null }) {
  const { form, changed, error, isLoading, submit, discard } = useMailboxForm(mailbox);
  const active = useWatch({ control: form.control, name: 'is_active' });
  const { errors } = form.formState;
  const text = (name: 'host' | 'username' | 'folder', missing: string, placeholder = '') => (
    <Field label={labels[name]} required error={errors[name]?.message}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          {...form.register(name, { validate: (value) => value.trim() !== '' || missing })}
        />
      )}
    </Field>
  );
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {error && isFormProblem(error, form.getValues()) && (
        <Alert tone="destructive">{messageOf(error, t('settings.mail.failed_to_save_settings'))}</Alert>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-3">
        {text('host', t('settings.mail.enter_imap_server'), 'imap.example.com')}
        <Field label={labels.port} required error={errors.port?.message}>
          {(control) => <Input {...control} type="number" inputMode="numeric" {...form.register('port', { valueAsNumber: true })} />}
        </Field>
      </div>
      {text('username', t('settings.mail.enter_username'), 'support@example.com')}
      <Field
        label={labels.password}
        required={!mailbox}
        error={errors.password?.message}
        hint={mailbox ? t('settings.mail.password_is_set') : t('settings.mail.many_providers_require_app_password')}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            {...form.register('password', { validate: (value) => mailbox !== null || value !== '' || t('settings.mail.enter_password') })}
          />
        )}
      </Field>
      {text('folder', t('settings.mail.enter_folder'))}
      <Switch label={labels.is_active} checked={active} onChange={(on) => form.setValue('is_active', on, { shouldDirty: true })} />
      <SaveBar
        label={isLoading ? t('settings.mail.opening_mailbox') : t('settings.mail.save_mailbox')}
        changed={changed}
        busy={isLoading}
        onDiscard={discard}
      />
    </form>
  );
}
