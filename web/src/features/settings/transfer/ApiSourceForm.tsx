import { importSourceNames, type ImportSource } from '@tandem/contracts/values';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFocusFirstError } from '../../../lib/focus-error';
import { messageOf, problemsByInput } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { PasswordInput } from '../../../ui/PasswordInput';
import { SourceSteps } from './SourceSteps';
import { useCreateImport } from './use-create-import';
import { importsAddress } from './use-import-address';

interface Errors {
  address?: string | undefined;
  token?: string | undefined;
  other?: string | undefined;
}

function errorsOf(error: unknown): Errors {
  const { address, token } = problemsByInput(error);
  return { address, token, other: address || token ? undefined : messageOf(error, t('settings.transfer.couldnt_create_import')) };
}

/** The address and token of a source that is read through its API. Nothing is stored in that product. */
export function ApiSourceForm({ source }: { source: ImportSource }) {
  const [formId, titleId] = [useId(), useId()];
  const name = importSourceNames[source];
  const [address, setAddress] = useState('');
  const [token, setToken] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const { open, isLoading } = useCreateImport();
  useFocusFirstError(formId, errors);
  const save = async () => {
    const missing = {
      address: /^https?:\/\/./.test(address.trim()) ? undefined : t('settings.transfer.enter_address'),
      token: token.trim() ? undefined : t('settings.transfer.enter_token'),
    };
    if (missing.address || missing.token) return setErrors(missing);
    const error = await open({ source, address: address.trim(), token: token.trim() });
    if (error) setErrors(errorsOf(error));
  };
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title={t('settings.transfer.import_from_name', { name })} />
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SourceSteps source={source} />
        <Field label={t('settings.transfer.address')} error={errors.address} required hint={t('settings.transfer.address_hint', { name })}>
          {(control) => (
            <Input
              {...control}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://support.example.com"
              value={address}
              onChange={({ target }) => setAddress(target.value)}
            />
          )}
        </Field>
        <Field label={t('settings.transfer.token')} error={errors.token} required hint={t('settings.transfer.token_hint')}>
          {(control) => <PasswordInput {...control} autoComplete="off" value={token} onChange={({ target }) => setToken(target.value)} />}
        </Field>
        {errors.other && <Alert tone="destructive">{errors.other}</Alert>}
        <div className="flex gap-2">
          <Button type="submit" variant="primary" busy={isLoading}>
            {t('settings.transfer.continue')}
          </Button>
          <Button variant="ghost" asChild>
            <Link to={importsAddress}>{t('settings.transfer.cancel')}</Link>
          </Button>
        </div>
      </form>
    </Card>
  );
}
