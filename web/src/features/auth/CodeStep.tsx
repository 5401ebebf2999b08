import type { MfaChallenge } from '@tandem/contracts';
import { useRef, useState, type FormEvent } from 'react';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { useVerifyMfaMutation } from './auth.api';
import { AuthFrame } from '../../ui/AuthFrame';

/** The two kinds of code that prove the second factor. */
const kinds = {
  app: {
    label: t('auth.authentication_code'),
    hint: t('auth.code_is_in_your_app'),
    rule: /^\d{6}$/,
    missing: t('auth.enter_authenticator_code'),
    other: t('auth.use_recovery_code_instead'),
    input: { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7, placeholder: '123456' },
  },
  recovery: {
    label: t('auth.recovery_code'),
    hint: t('auth.what_recovery_code_is'),
    rule: /^[a-z2-7]{16}$/,
    missing: t('auth.recovery_code_is_incomplete'),
    other: t('auth.use_your_authenticator_app_instead'),
    input: { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 30 },
  },
} as const;

function OtherWays({ other, onBack, onSwitch }: { other: string; onBack: () => void; onSwitch: () => void }) {
  return (
    <div className="flex flex-wrap justify-between gap-2">
      <Button variant="ghost" onClick={onBack}>
        {t('auth.back')}
      </Button>
      <Button variant="ghost" onClick={onSwitch}>
        {other}
      </Button>
    </div>
  );
}

interface CodeStepProps {
  challenge: MfaChallenge;
  /** Called with a reason if this step has expired. */
  onBack: (why?: string) => void;
}

/** The second step of a sign-in. Once there is a session, AuthPage redirects automatically. */
export function CodeStep({ challenge, onBack }: CodeStepProps) {
  useDocumentTitle(t('auth.two_factor_sign_in'));
  const [kind, setKind] = useState<keyof typeof kinds>('app');
  const [code, setCode] = useState('');
  const [invalid, setInvalid] = useState(false);
  const [verify, { error, isLoading, reset }] = useVerifyMfaMutation();
  const input = useRef<HTMLInputElement>(null);
  const { label, hint, rule, missing, other, input: attributes } = kinds[kind];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const bare = code.replace(/[\s-]/g, '').toLowerCase();
    setInvalid(!rule.test(bare));
    if (!rule.test(bare)) return input.current?.focus();
    const answer = await verify({ mfa_token: challenge.mfa_token, code: bare });
    if (!answer.error) return;
    if (isProblem(answer.error) && answer.error.code === 'mfa.challenge_expired') return onBack(messageOf(answer.error, ''));
    setCode('');
    input.current?.focus();
  };
  const switchKind = () => {
    setKind(kind === 'app' ? 'recovery' : 'app');
    setCode('');
    setInvalid(false);
    reset();
    input.current?.focus();
  };
  return (
    <AuthFrame title={t('auth.two_factor_sign_in')}>
      <Card className="p-5">
        <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          {error && !invalid && <Alert tone="destructive">{messageOf(error, t('auth.couldnt_check_code'))}</Alert>}
          <Field label={label} required hint={hint} error={invalid ? missing : undefined}>
            {(control) => (
              <Input
                {...control}
                {...attributes}
                key={kind}
                ref={input}
                autoFocus
                size="lg"
                className="tabular tracking-widest"
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="lg" busy={isLoading}>
            {t('auth.verify')}
          </Button>
          <OtherWays other={other} onBack={() => onBack()} onSwitch={switchKind} />
        </form>
      </Card>
    </AuthFrame>
  );
}
