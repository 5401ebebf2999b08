import type { OidcConnection } from '@tandem/contracts';
import { Copy } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { copyText } from '../../../lib/clipboard';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Rich } from '../../../ui/Rich';
import { Skeleton } from '../../../ui/Skeleton';
import { useDeleteOidcConnectionMutation, useReadOidcConnectionQuery } from './sso.api';

/** The provider needs this address before there is a stored connection that contains it. */
const redirectAddressOf = (connection: OidcConnection | null, organization_id: string): string =>
  connection?.redirect_uri ?? `${location.origin}/api/v1/auth/oidc/callback/${organization_id}`;

function RedirectAddress({ address }: { address: string }) {
  return (
    <div>
      <p className="mb-1 font-medium">{t('auth.sso.redirect_address')}</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 rounded-md border bg-sunken px-2.5 py-1.5 font-mono text-xs break-all">{address}</code>
        <Button variant="ghost" size="icon" aria-label={t('auth.sso.copy_redirect_address')} onClick={() => void copyText(address)}>
          <Copy aria-hidden />
        </Button>
      </div>
      <p className="mt-1 text-xs text-muted">{t('auth.sso.where_redirect_address_belongs')}</p>
    </div>
  );
}

/** Most of the card is the form: the rest renders without waiting for it. */
const ConnectionFields = lazy(() => import('./ConnectionFields').then((module) => ({ default: module.ConnectionFields })));

function Disconnect() {
  const [isConfirming, setIsConfirming] = useState(false);
  const [disconnect, { isLoading }] = useDeleteOidcConnectionMutation();
  const confirm = async () => {
    const answer = await disconnect();
    setIsConfirming(false);
    if (answer.error) notify.problem(answer.error, t('auth.sso.failed_to_disconnect_provider'));
    else notify.success(t('auth.sso.provider_disconnected'));
  };
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{t('auth.sso.disconnect')}</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={t('auth.sso.disconnect_your_provider')}
        description={t('auth.sso.what_removing_sso_does')}
        action={t('auth.sso.disconnect')}
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
      <Badge tone={connection.is_active ? 'green' : 'gray'}>{connection.is_active ? t('auth.sso.active') : t('auth.sso.inactive')}</Badge>
      <Disconnect />
    </span>
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('auth.sso.single_sign_on')} actions={actions} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">{t('auth.sso.what_sso_does')}</p>
        {organization.subdomain === null && (
          <Alert>
            <Rich
              text={t('auth.sso.single_sign_on_needs_subdomain')}
              tags={{
                link: (inside) => (
                  <Link to="/settings?tab=organization" className="font-medium underline">
                    {inside}
                  </Link>
                ),
              }}
            />
          </Alert>
        )}
        {error && connection === undefined && <ErrorNote title={t('auth.sso.couldnt_load_settings')} onRetry={() => void refetch()} />}
        {!error && connection === undefined && <Skeleton className="h-72" />}
        {connection !== undefined && (
          <>
            <RedirectAddress address={redirectAddressOf(connection, organization.id)} />
            <Suspense fallback={<Skeleton className="h-96" />}>
              <ConnectionFields connection={connection} />
            </Suspense>
          </>
        )}
      </div>
    </Card>
  );
}
