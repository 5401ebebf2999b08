import type { IssuedApiToken } from '@tandem/contracts';
import { tokenPermissionNames, tokenPermissions } from '@tandem/contracts/values';
import { CircleAlert } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { useFocusFirstError } from '../../../lib/focus-error';
import { notify } from '../../../lib/notify';
import { problemsByInput } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { CheckRow } from '../../../ui/CheckRow';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input, Textarea } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { lifetimeOf, lifetimeOptions, networkLines, newToken, tokenErrors, type TokenDraft } from './token-form';
import { useCreateApiTokenMutation } from './tokens.api';

interface PartProps {
  draft: TokenDraft;
  error: string | undefined;
  set: (part: Partial<TokenDraft>) => void;
}

function Permissions({ draft, error, set }: PartProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error && id} className="flex flex-col gap-2.5">
      <legend className="mb-2 font-medium">{t('settings.api.permissions')}</legend>
      {tokenPermissionNames.map((name) => (
        <CheckRow
          key={name}
          label={tokenPermissions[name].label}
          description={tokenPermissions[name].description}
          checked={draft.permissions.includes(name)}
          onChange={(on) =>
            set({ permissions: tokenPermissionNames.filter((each) => (each === name ? on : draft.permissions.includes(each))) })
          }
        />
      ))}
      {error && (
        <p id={id} className="flex items-center gap-1 text-xs text-red-text">
          <CircleAlert className="size-3.5 shrink-0" aria-hidden />
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** The client networks of a token, one per line. */
export function NetworksField({ value, error, onChange }: { value: string; error: string | undefined; onChange: (typed: string) => void }) {
  return (
    <Field label={t('settings.api.allowed_networks')} optional error={error} hint={t('settings.api.networks_hint')}>
      {(control) => (
        <Textarea
          {...control}
          className="min-h-16 font-mono"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface CreateTokenDialogProps {
  onClose: () => void;
  onCreated: (issued: IssuedApiToken) => void;
}

function useCreate(onCreated: (issued: IssuedApiToken) => void) {
  const [errors, setErrors] = useState<ReturnType<typeof tokenErrors>>({});
  const [create, { isLoading }] = useCreateApiTokenMutation();
  const submit = async (draft: TokenDraft) => {
    const found = tokenErrors(draft);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const { name, permissions, networks, lifetime } = draft;
    const answer = await create({ name: name.trim(), permissions, networks: networkLines(networks), expires_in_days: lifetime });
    if (answer.data) return onCreated(answer.data);
    const refused = problemsByInput(answer.error);
    setErrors(refused);
    if (Object.keys(refused).length === 0) notify.problem(answer.error, t('settings.api.failed_to_generate_api_token'));
  };
  return { submit, errors, isLoading };
}

export function CreateTokenDialog({ onClose, onCreated }: CreateTokenDialogProps) {
  const form = useId();
  const [draft, setDraft] = useState(newToken);
  const { submit, errors, isLoading } = useCreate(onCreated);
  useFocusFirstError(form, errors);
  const set = (part: Partial<TokenDraft>) => setDraft({ ...draft, ...part });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit(draft);
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('settings.api.cancel')}</Button>
      <Button type="submit" form={form} variant="primary" busy={isLoading}>
        {t('settings.api.generate_token')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('settings.api.new_api_token')}
      description={t('settings.api.admins_get_email')}
      footer={footer}
    >
      <form id={form} noValidate onSubmit={onSubmit} className="flex flex-col gap-5 pt-1">
        <Field label={t('settings.api.name')} required error={errors.name} hint={t('settings.api.program_that_will_use_token')}>
          {(control) => (
            <Input
              {...control}
              maxLength={100}
              placeholder={t('settings.api.order_importer')}
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Permissions draft={draft} error={errors.permissions} set={set} />
        <Field label={t('settings.api.expires_after')} hint={t('settings.api.permissions_and_expiry_cant_change')}>
          {(control) => (
            <Select
              {...control}
              value={String(draft.lifetime)}
              options={lifetimeOptions}
              onChange={(value) => set({ lifetime: lifetimeOf(value) })}
            />
          )}
        </Field>
        <NetworksField value={draft.networks} error={errors.networks} onChange={(networks) => set({ networks })} />
      </form>
    </Dialog>
  );
}
