import type { MailServer } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { unsavedServer } from './mail-drafts';
import { useDeleteMailServerMutation, useReadMailServerQuery } from './mail-settings.api';

/** Most organizations use the product's server, so the form loads when it is opened. */
const MailServerFields = lazy(() => import('./MailServerFields').then((module) => ({ default: module.MailServerFields })));

function Remove() {
  const [isConfirming, setIsConfirming] = useState(false);
  const [remove, { isLoading }] = useDeleteMailServerMutation();
  const confirm = async () => {
    const { error } = await remove();
    setIsConfirming(false);
    if (error) notify.problem(error, 'Failed to remove the SMTP server');
    else notify.success('SMTP server removed');
  };
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>Remove</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Remove this SMTP server?"
        description="Our server will send emails to customers, including those in the queue: from your sender domain if it’s verified, otherwise from our domain."
        action="Remove"
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

function Status({ server: { from_address, failing_since, last_error } }: { server: MailServer }) {
  if (failing_since === null) return <p>Emails to customers come from {from_address}, through this server.</p>;
  return (
    <Alert tone="destructive" className="[overflow-wrap:anywhere]">
      <b className="font-semibold">
        Emails to customers have been waiting since <Time iso={failing_since} />.
      </b>{' '}
      {last_error} We keep trying.
    </Alert>
  );
}

function Details({ server }: { server: MailServer | null }) {
  const [isOpen, setIsOpen] = useState(() => unsavedServer.get() !== null);
  if (!server && !isOpen)
    return (
      <Button className="self-start" onClick={() => setIsOpen(true)}>
        Add an SMTP server
      </Button>
    );
  return (
    <>
      {server && <Status server={server} />}
      <Suspense fallback={<Skeleton className="h-80" />}>
        <MailServerFields server={server} />
      </Suspense>
    </>
  );
}

/** The organization's own SMTP server. It takes precedence over the sender domain. */
export function MailServerCard() {
  const { data: server, error, isFetching, refetch } = useReadMailServerQuery();
  const actions = server && (
    <span className="flex items-center gap-2">
      <Badge tone={server.failing_since === null ? 'green' : 'red'}>{server.failing_since === null ? 'In use' : 'Failing'}</Badge>
      <Remove />
    </span>
  );
  return (
    <Card aria-labelledby="mail-server">
      <CardHeader id="mail-server" title="SMTP server" actions={actions} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">Send emails to customers through your own SMTP server, instead of ours and the sender domain.</p>
        {error && server === undefined ? (
          <ErrorNote title="Couldn’t load the settings" detail={messageOf(error, '')} busy={isFetching} onRetry={() => void refetch()} />
        ) : server === undefined ? (
          <Skeleton className="h-9 w-40" />
        ) : (
          <Details server={server} />
        )}
      </div>
    </Card>
  );
}
