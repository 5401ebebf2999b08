import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { fieldProblems, isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { PasswordInput } from '../../ui/PasswordInput';

interface ConfirmPasswordProps {
  /** Label of the button, naming the action. */
  action: string;
  danger?: boolean;
  children: ReactNode;
  /** Resolves to the problem, if the action failed. */
  onConfirm: (current_password: string) => Promise<unknown>;
  onCancel?: (() => void) | undefined;
}

/** Asks for the password again before sensitive actions, in case the unlocked screen is used by another person. */
export function ConfirmPassword({ action, danger, children, onConfirm, onCancel }: ConfirmPasswordProps) {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const input = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setMissing(password === '');
    setProblem(undefined);
    if (password === '') return input.current?.focus();
    setBusy(true);
    const error = await onConfirm(password);
    setBusy(false);
    setProblem(error);
    input.current?.focus();
  };
  const isWrong = isProblem(problem) && problem.code === 'password.wrong';
  const fieldError = missing
    ? t('account.enter_your_current_password')
    : isWrong
      ? messageOf(problem, '')
      : fieldProblems(problem).find(({ path }) => path === 'current_password')?.message;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {children}
      {problem !== undefined && !fieldError && <Alert tone="destructive">{messageOf(problem, t('account.something_went_wrong'))}</Alert>}
      <Field label={t('account.current_password')} required error={fieldError}>
        {(control) => (
          <PasswordInput
            {...control}
            ref={input}
            autoFocus
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
          {action}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('account.cancel')}</Button>}
      </div>
    </form>
  );
}
