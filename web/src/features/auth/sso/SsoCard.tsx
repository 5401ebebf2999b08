import type { OidcConnection } from '@tandem/contracts';
import { Copy } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { copyText } from '../../../lib/clipboard';
import { notify } from '../../../lib/notify';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeleton } from '../../../ui/Skeleton';
import { useDeleteOidcConnectionMutation, useReadOidcConnectionQuery } from './sso.api';

/** The provider needs this address before there is a stored connection that contains it. */
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

/** Most of the card is the form: the rest renders without waiting for it. */
const ConnectionFields = lazy(() => import('./ConnectionFields').then((module) => ({ default: module.ConnectionFields })));

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
            <Suspense fallback={<Skeleton className="h-96" />}>
              <ConnectionFields connection={connection} />
            </Suspense>
          </>
        )}
      </div>
    </Card>
  );
}
