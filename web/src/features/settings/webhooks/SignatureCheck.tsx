import type { WebhookEndpoint } from '@tandem/contracts';
import { useState, type SyntheticEvent } from 'react';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input, Textarea } from '../../../ui/Input';
import { checkSignature, type SignatureCheck as Check } from './check-signature';

const tones = { valid: 'success', late: 'info', invalid: 'destructive' } as const;

interface PastedTextProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
}

function PastedText({ label, hint, value, onChange }: PastedTextProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Textarea
          {...control}
          className="max-h-60 font-mono text-xs"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Checks the signature of a pasted request in this page: the secret is neither sent nor stored. */
export function SignatureCheck({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [request, setRequest] = useState({ body: '', headers: '', secret: '' });
  const [check, setCheck] = useState<Check>();
  const change = (part: Partial<typeof request>) => {
    setRequest({ ...request, ...part });
    setCheck(undefined);
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setCheck(checkSignature(request, { lastFour: endpoint.secret_last_four }, Date.now()));
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3" autoComplete="off">
      <p className="text-muted">{t('settings.webhooks.what_checking_does')}</p>
      <PastedText
        label={t('settings.webhooks.headers')}
        hint={t('settings.webhooks.headers_hint')}
        value={request.headers}
        onChange={(headers) => change({ headers })}
      />
      <PastedText label={t('settings.webhooks.raw_body')} value={request.body} onChange={(body) => change({ body })} />
      <Field
        label={t('settings.webhooks.signing_secret')}
        hint={t('settings.webhooks.secret_hint', { secret_last_four: endpoint.secret_last_four })}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="off"
            value={request.secret}
            onChange={(event) => change({ secret: event.target.value })}
          />
        )}
      </Field>
      <Button type="submit" className="self-start" disabled={Object.values(request).some((part) => part.trim() === '')}>
        {t('settings.webhooks.check_signature')}
      </Button>
      {check && (
        <Alert tone={tones[check.result]}>
          <p className="break-words">{check.finding}</p>
          {check.advice && <p>{check.advice}</p>}
        </Alert>
      )}
    </form>
  );
}
