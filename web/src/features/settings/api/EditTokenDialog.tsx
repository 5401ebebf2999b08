import type { ApiToken } from '@tandem/contracts';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../../lib/notify';
import { problemsByInput } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { NetworksField } from './CreateTokenDialog';
import { networkLines, networksError, type TokenErrors } from './token-form';
import { useUpdateApiTokenMutation } from './tokens.api';

/** Name and networks: a token's permissions and expiry never change. */
export function EditTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const form = useId();
  const [name, setName] = useState(token.name);
  const [networks, setNetworks] = useState(token.networks.join('\n'));
  const [errors, setErrors] = useState<TokenErrors>({});
  const [update, { isLoading }] = useUpdateApiTokenMutation();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = networksError(networks);
    const found = { ...(name.trim() === '' ? { name: t('settings.api.give_token_name') } : {}), ...(wrong ? { networks: wrong } : {}) };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const { error } = await update({ id: token.id, changes: { name: name.trim(), networks: networkLines(networks) } });
    const refused = problemsByInput(error);
    setErrors(refused);
    if (error && Object.keys(refused).length === 0) notify.problem(error, t('settings.api.failed_to_save_token'));
    if (error) return;
    notify.success(t('settings.api.api_token_saved'));
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('settings.api.cancel')}</Button>
      <Button type="submit" form={form} variant="primary" busy={isLoading}>
        {t('settings.api.save')}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('settings.api.edit_name', { name: token.name })} footer={footer}>
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5 pt-1">
        <Field label={t('settings.api.name')} required error={errors.name} hint={t('settings.api.earlier_timeline_entries_keep_old')}>
          {(control) => <Input {...control} maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <NetworksField value={networks} error={errors.networks} onChange={setNetworks} />
      </form>
    </Dialog>
  );
}
