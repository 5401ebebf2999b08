import { lazy, Suspense, useEffect, useRef, useState, type FormEvent } from 'react';
import { copyText } from '../../lib/clipboard';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Skeleton } from '../../ui/Skeleton';
import { useBeginMfaMutation, useConfirmMfaMutation } from './account.api';
import { ConfirmPassword } from './ConfirmPassword';

/** If the QR code fails to load, show nothing: the secret is also shown as text. */
const loadQrCode = () =>
  import('./QrCode').then(
    (module) => ({ default: module.QrCode }),
    () => ({ default: () => null }),
  );
const QrCode = lazy<(props: { text: string; label: string }) => React.ReactNode>(loadQrCode);

interface Begun {
  secret: string;
  otpauth_uri: string;
}

/** Groups of four characters, which are easier to read out and type. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');

function Scan({ secret, otpauth_uri }: Begun) {
  // The pressed button no longer exists: focus the first paragraph, so that screen readers continue here and no phone keyboard covers the
  // code.
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-start gap-5">
      <Suspense fallback={<Skeleton className="size-[194px] rounded-lg" />}>
        <QrCode text={otpauth_uri} label={t('account.qr_code')} />
      </Suspense>
      <div className="flex min-w-56 flex-1 flex-col gap-3">
        <p ref={start} tabIndex={-1}>
          {t('account.scan_this_code')}
        </p>
        <div>
          <p className="text-muted">{t('account.or_enter_this_key')}</p>
          <p className="mt-1 font-mono text-md wrap-anywhere" data-testid="secret">
            {grouped(secret)}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => void copyText(secret, t('account.key_copied'))}>
            {t('account.copy_key')}
          </Button>
          {/* A phone cannot scan its own screen. */}
          <Button asChild size="sm" className="hidden touch:inline-flex">
            <a href={otpauth_uri}>{t('account.open_in_app_on_this_phone')}</a>
          </Button>
        </div>
      </div>
    </div>
  );
}

function Confirm({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel: (() => void) | undefined }) {
  const [code, setCode] = useState('');
  const [invalid, setInvalid] = useState(false);
  const [confirm, { error, isLoading }] = useConfirmMfaMutation();
  const input = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const bare = code.replace(/\s/g, '');
    setInvalid(!/^\d{6}$/.test(bare));
    if (!/^\d{6}$/.test(bare)) return input.current?.focus();
    const { data } = await confirm({ code: bare });
    if (data) return onCodes(data.recovery_codes);
    setCode('');
    input.current?.focus();
  };
  const isWrong = isProblem(error) && error.code === 'mfa.code_invalid';
  const fieldError = invalid ? t('account.enter_authenticator_code') : isWrong ? messageOf(error, '') : undefined;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      {error && !fieldError && <Alert tone="destructive">{messageOf(error, t('account.couldnt_check_code'))}</Alert>}
      <Field
        label={t('account.authentication_code')}
        required
        hint={t('account.code_is_in_your_app')}
        error={fieldError}
        className="max-w-60"
      >
        {(control) => (
          <Input
            {...control}
            ref={input}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            className="tabular tracking-widest"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isLoading}>
          {t('account.turn_on')}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('account.cancel')}</Button>}
      </div>
    </form>
  );
}

/** Password, QR code, first code; the caller then shows the recovery codes. */
export function TwoFactorSetup({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel?: (() => void) | undefined }) {
  const [begin] = useBeginMfaMutation();
  const [begun, setBegun] = useState<Begun>();
  if (begun) {
    return (
      <>
        <Scan {...begun} />
        <Confirm onCodes={onCodes} onCancel={onCancel} />
      </>
    );
  }
  const confirmPassword = async (current_password: string) => {
    const { data, error } = await begin({ current_password });
    if (data) setBegun(data);
    return error;
  };
  return (
    <ConfirmPassword action={t('account.continue')} onConfirm={confirmPassword} onCancel={onCancel}>
      <p>{t('account.you_need_authenticator_app')}</p>
    </ConfirmPassword>
  );
}
