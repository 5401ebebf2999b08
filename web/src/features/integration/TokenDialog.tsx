import type { TaskTool } from '@tandem/contracts';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { fieldProblems, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useConnectTaskToolMutation } from './integration.api';

function useToken({ key, name }: TaskTool, onConnected: () => void) {
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const [connect, { error, isLoading, reset }] = useConnectTaskToolMutation();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(token.trim() === '');
    if (token.trim() === '') return;
    const answer = await connect({ provider: key, token: token.trim() });
    if (!answer.data) return;
    notify.success(t('integration.name_connected', { name }));
    onConnected();
  };
  const type = (text: string) => {
    setToken(text);
    setMissing(false);
    if (error) reset();
  };
  const refusal = error && (fieldProblems(error)[0]?.message ?? messageOf(error, t('integration.this_token_doesnt_work')));
  return {
    token,
    type,
    submit: (event: FormEvent) => void submit(event),
    problem: missing ? t('integration.paste_token') : refusal,
    isLoading,
  };
}

/** Connects with a user's personal token, for installations without an OAuth app. */
export function TokenDialog({ tool, onClose }: { tool: TaskTool; onClose: () => void }) {
  const form = useId();
  const { token, type, submit, problem, isLoading } = useToken(tool, onClose);
  const footer = (
    <>
      <Button onClick={onClose}>{t('integration.cancel')}</Button>
      <Button type="submit" form={form} variant="primary" busy={isLoading}>
        {t('integration.connect')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('integration.connect_name_with_personal_token', { name: tool.name })}
      description={t('integration.use_dedicated_account')}
      className="max-w-md"
      footer={footer}
    >
      <form id={form} noValidate onSubmit={submit}>
        <Field label={tool.personal_token.label} required error={problem} hint={tool.personal_token.where}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              maxLength={500}
              value={token}
              onChange={(event) => type(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
