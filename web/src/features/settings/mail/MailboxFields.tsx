import type { Mailbox } from '@tandem/contracts';
import { useForm, useWatch } from 'react-hook-form';
import { isFormProblem, showFieldProblems } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Switch } from '../../../ui/Switch';
import { useSaveMailboxMutation, type MailboxForm } from './mail-settings.api';

const empty = { host: '', port: 993, username: '', folder: 'INBOX', is_active: true };

/** Settings of the mailbox; empty if there is none. */
export function MailboxFields({ mailbox }: { mailbox: Mailbox | null }) {
  const [save, { error, isLoading }] = useSaveMailboxMutation();
  const { host, port, username, folder, is_active } = mailbox ?? empty;
  const form = useForm<MailboxForm>({ values: { host, port, username, folder, is_active, password: '' } });
  const active = useWatch({ control: form.control, name: 'is_active' });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const answer = await save(values);
    if (!answer.error) {
      form.reset({ ...values, password: '' });
      return notify.success('Settings saved!');
    }
    showFieldProblems(form, answer.error);
  });
  const text = (name: 'host' | 'username' | 'folder', label: string, missing: string, placeholder = '') => (
    <Field label={label} required error={errors[name]?.message}>
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
      {error && isFormProblem(error, form.getValues()) && <Alert tone="destructive">{messageOf(error, 'Failed to save settings')}</Alert>}
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-3">
        {text('host', 'IMAP server', 'Enter the IMAP server', 'imap.example.com')}
        <Field label="Port" required error={errors.port?.message}>
          {(control) => <Input {...control} type="number" inputMode="numeric" {...form.register('port', { valueAsNumber: true })} />}
        </Field>
      </div>
      {text('username', 'Username', 'Enter the username', 'support@example.com')}
      <Field
        label="Password"
        required={!mailbox}
        error={errors.password?.message}
        hint={mailbox ? 'A password is set. Leave empty to keep it.' : 'Many providers require an app password.'}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            {...form.register('password', { validate: (value) => mailbox !== null || value !== '' || 'Enter the password' })}
          />
        )}
      </Field>
      {text('folder', 'Folder', 'Enter the folder')}
      <Switch label="Active" checked={active} onChange={(on) => form.setValue('is_active', on)} />
      <Button type="submit" variant="primary" busy={isLoading} className="self-start">
        {isLoading ? 'Opening the mailbox…' : 'Save'}
      </Button>
    </form>
  );
}
