import type { OidcConnection } from '@tandem/contracts';
import { Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { useForm, useWatch, type FieldPath } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { copyText } from '../../lib/clipboard';
import { notify } from '../../lib/notify';
import { fieldProblems, messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNote } from '../../ui/ErrorNote';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { useDeleteOidcConnectionMutation, useReadOidcConnectionQuery, useSaveOidcConnectionMutation, type ConnectionForm } from './sso.api';

/** The provider asks for it before there is a connection that could say it. */
const redirectAddressOf = (connection: OidcConnection | null, organization_id: string): string =>
  connection?.redirect_uri ?? `${location.origin}/api/v1/auth/oidc/callback/${organization_id}`;

function RedirectAddress({ address }: { address: string }) {
  return (
    <div>
      <p className="mb-1 font-medium">Redirect address</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 rounded-md border bg-sunken px-2.5 py-1.5 font-mono text-xs break-all">{address}</code>
        <Button variant="ghost" size="icon" aria-label="Copy the redirect address" onClick={() => void copyText(address)}>
          <Copy aria-hidden />
        </Button>
      </div>
      <p className="mt-1 text-xs text-muted">Allow it in your provider’s settings.</p>
    </div>
  );
}

const texts = [
  { name: 'issuer', label: 'Issuer', placeholder: 'https://id.example.com', missing: 'Enter the address of your OpenID provider' },
  { name: 'client_id', label: 'Client ID', placeholder: '', missing: 'Enter the client id' },
] as const;

function ConnectionFields({ connection }: { connection: OidcConnection | null }) {
  const [save, { error, isLoading }] = useSaveOidcConnectionMutation();
  const stored = connection ?? { issuer: '', client_id: '', is_active: true, auto_join: false };
  const { issuer, client_id, is_active, auto_join } = stored;
  const form = useForm<ConnectionForm>({ values: { issuer, client_id, is_active, auto_join, client_secret: '' } });
  const [active, autoJoin] = useWatch({ control: form.control, name: ['is_active', 'auto_join'] });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const answer = await save(values);
    if (answer.data) {
      // The secret is not kept in the page, and the issuer stands as the provider spells it.
      form.reset({ ...values, issuer: answer.data.issuer, client_secret: '' });
      return notify.success('Settings saved!');
    }
    for (const { path, message } of fieldProblems(answer.error))
      if (path in values) form.setError(path as FieldPath<ConnectionForm>, { message });
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {error && Object.keys(errors).length === 0 && <Alert tone="destructive">{messageOf(error, 'Failed to save settings')}</Alert>}
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
        label="Client secret"
        optional
        error={errors.client_secret?.message}
        hint={connection?.has_client_secret ? 'One is stored. Leave this empty to keep it.' : 'Only if your provider has given you one.'}
      >
        {(control) => <Input {...control} type="password" autoComplete="new-password" {...form.register('client_secret')} />}
      </Field>
      <Switch label="Active" checked={active} onChange={(on) => form.setValue('is_active', on)} />
      <div className="flex flex-col gap-1">
        <Switch label="New people join by themselves" checked={autoJoin} onChange={(on) => form.setValue('auto_join', on)} />
        <p className="text-xs text-muted">Whoever your provider knows becomes an agent at their first sign-in.</p>
      </div>
      <Button type="submit" variant="primary" busy={isLoading} className="self-start">
        Save
      </Button>
    </form>
  );
}

function Disconnect() {
  const [asked, setAsked] = useState(false);
  const [disconnect, { isLoading }] = useDeleteOidcConnectionMutation();
  const confirm = async () => {
    const answer = await disconnect();
    setAsked(false);
    if (answer.error) notify.problem(answer.error, 'Failed to disconnect the provider');
    else notify.success('Provider disconnected');
  };
  return (
    <>
      <Button onClick={() => setAsked(true)}>Disconnect</Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Disconnect your provider?"
        description="People sign in with their email and password again. Whoever joined through the provider sets a password by “Forgot your password?” first."
        action="Disconnect"
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

/** The organization's own OpenID provider, for admins. */
export function SsoCard() {
  const id = useId();
  const { organization } = useSession();
  const { data: connection, error, refetch } = useReadOidcConnectionQuery();
  if (!organization) return null;
  const actions = connection && (
    <span className="flex items-center gap-2">
      <Badge tone={connection.is_active ? 'green' : 'gray'}>{connection.is_active ? 'Active' : 'Inactive'}</Badge>
      <Disconnect />
    </span>
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Single sign-on" actions={actions} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">Your people sign in at your own OpenID provider.</p>
        {organization.subdomain === null && (
          <Alert>
            People sign in by your subdomain, and you have none yet.{' '}
            <Link to="/settings?tab=organization" className="font-medium underline">
              Choose one
            </Link>
          </Alert>
        )}
        {error && connection === undefined && <ErrorNote title="The settings could not be loaded" onRetry={() => void refetch()} />}
        {!error && connection === undefined && <Skeleton className="h-72" />}
        {connection !== undefined && (
          <>
            <RedirectAddress address={redirectAddressOf(connection, organization.id)} />
            <ConnectionFields connection={connection} />
          </>
        )}
      </div>
    </Card>
  );
}
