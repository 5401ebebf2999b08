import type { TaskTool } from '@tandem/contracts';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { fieldProblems, messageOf } from '../../lib/problem';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useConnectTaskToolMutation } from './integration.api';

/** For installations without an OAuth app: somebody lends the connection a token of their own. */
export function TokenDialog({ tool, onClose }: { tool: TaskTool; onClose: () => void }) {
  const form = useId();
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const [connect, { error, isLoading, reset }] = useConnectTaskToolMutation();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(token.trim() === '');
    if (token.trim() === '') return;
    const answer = await connect({ provider: tool.key, token: token.trim() });
    if (!answer.data) return;
    notify.success(`${tool.name} connected`);
    onClose();
  };
  const problem = missing ? 'Paste the token' : error && (fieldProblems(error)[0]?.message ?? messageOf(error, 'The token did not work'));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Connect ${tool.name} with a personal token`}
      description="Whatever the sync does in the task tool, it does in the name of the token’s owner. An account of its own is best."
      className="max-w-md"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isLoading}>
            Connect
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <Field label={tool.personal_token.label} required error={problem} hint={tool.personal_token.where}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              maxLength={500}
              value={token}
              onChange={(event) => {
                setToken(event.target.value);
                setMissing(false);
                if (error) reset();
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
