import type { Mailbox } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../../lib/notify';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { useDeleteMailboxMutation } from './mail-settings.api';

/** Most of the card is the form: the rest renders without waiting for it. */
const MailboxFields = lazy(() => import('./MailboxFields').then((module) => ({ default: module.MailboxFields })));

function Disconnect() {
  const [isConfirming, setIsConfirming] = useState(false);
  const [disconnect, { isLoading }] = useDeleteMailboxMutation();
  const confirm = async () => {
    const { error } = await disconnect();
    setIsConfirming(false);
    if (error) notify.problem(error, 'Failed to disconnect the mailbox');
    else notify.success('Mailbox disconnected');
  };
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>Disconnect</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title="Disconnect this mailbox?"
        description="Emails stay in the mailbox, but new ones no longer become tickets."
        action="Disconnect"
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

/** When the mailbox was last polled, or why polling failed. */
function MailboxStatus({ mailbox }: { mailbox: Mailbox }) {
  if (mailbox.last_error) return <Alert tone="destructive">The last check of the mailbox failed: {mailbox.last_error}</Alert>;
  if (!mailbox.last_polled_at) return null;
  return (
    <p className="text-xs text-muted">
      Last checked <Time iso={mailbox.last_polled_at} relative />
    </p>
  );
}

/** An external mailbox that is polled every minute. */
export function MailboxCard({ mailbox }: { mailbox: Mailbox | null }) {
  const actions = mailbox && (
    <span className="flex items-center gap-2">
      <Badge tone={mailbox.is_active ? 'green' : 'gray'}>{mailbox.is_active ? 'Active' : 'Inactive'}</Badge>
      <Disconnect />
    </span>
  );
  return (
    <Card aria-labelledby="mailbox">
      <CardHeader id="mailbox" title="IMAP mailbox" actions={actions} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">New emails in your mailbox become tickets and are marked as read. Checked every minute.</p>
        {mailbox && <MailboxStatus mailbox={mailbox} />}
        <Suspense fallback={<Skeleton className="h-80" />}>
          <MailboxFields mailbox={mailbox} />
        </Suspense>
      </div>
    </Card>
  );
}
