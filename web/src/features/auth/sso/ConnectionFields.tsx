import type { OidcConnection } from '@tandem/contracts';
import { useForm, useWatch } from 'react-hook-form';
import { showFieldProblems } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Switch } from '../../../ui/Switch';
import { useSaveOidcConnectionMutation, type ConnectionForm } from './sso.api';

const texts = [
  { name: 'issuer', label: t('auth.sso.issuer'), placeholder: 'https://id.example.com', missing: t('auth.sso.enter_provider_address') },
  { name: 'client_id', label: t('auth.sso.client_id'), placeholder: '', missing: t('auth.sso.enter_client_id') },
] as const;

/** Settings of the identity provider; empty if there is none. */
export function ConnectionFields({ connection }: { connection: OidcConnection | null }) {
  const [save, { error, isLoading }] = useSaveOidcConnectionMutation();
  const stored = connection ?? { issuer: '', client_id: '', is_active: true, auto_join: false };
  const { issuer, client_id, is_active, auto_join } = stored;
  const form = useForm<ConnectionForm>({ values: { issuer, client_id, is_active, auto_join, client_secret: '' } });
  const [active, autoJoin] = useWatch({ control: form.control, name: ['is_active', 'auto_join'] });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const answer = await save(values);
    if (answer.data) {
      // Clear the secret from the page, and show the issuer as the provider spells it.
      form.reset({ ...values, issuer: answer.data.issuer, client_secret: '' });
      return notify.success(t('auth.sso.settings_saved'));
    }
    showFieldProblems(form, answer.error);
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {error && Object.keys(errors).length === 0 && (
        <Alert tone="destructive">{messageOf(error, t('auth.sso.failed_to_save_settings'))}</Alert>
      )}
      {texts.map(({ name, label, placeholder, missing }) => (
        <Field key={name} label={label} required error={errors[name]?.message}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder={placeholder}
              {...form.register(name, { validate: (text) => text.trim() !== '' || missing })}
            />
          )}
        </Field>
      ))}
      <Field
        label={t('auth.sso.client_secret')}
        optional
        error={errors.client_secret?.message}
        hint={connection?.has_client_secret ? t('auth.sso.secret_is_set') : t('auth.sso.when_secret_is_needed')}
      >
        {(control) => <Input {...control} type="password" autoComplete="new-password" {...form.register('client_secret')} />}
      </Field>
      <Switch label={t('auth.sso.active')} checked={active} onChange={(on) => form.setValue('is_active', on)} />
      <div className="flex flex-col gap-1">
        <Switch label={t('auth.sso.add_new_people_automatically')} checked={autoJoin} onChange={(on) => form.setValue('auto_join', on)} />
        <p className="text-xs text-muted">{t('auth.sso.who_joins_by_sso')}</p>
      </div>
      <Button type="submit" variant="primary" busy={isLoading} className="self-start">
        {t('auth.sso.save')}
      </Button>
    </form>
  );
}
