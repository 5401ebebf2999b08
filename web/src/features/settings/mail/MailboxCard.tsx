import type { Mailbox } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { Rich } from '../../../ui/Rich';
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
    if (error) notify.problem(error, t('settings.mail.failed_to_disconnect_mailbox'));
    else notify.success(t('settings.mail.mailbox_disconnected'));
  };
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{t('settings.mail.disconnect')}</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={t('settings.mail.disconnect_this_mailbox')}
        description={t('settings.mail.what_removing_mailbox_does')}
        action={t('settings.mail.disconnect')}
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

/** When the mailbox was last polled, or why polling failed. */
function MailboxStatus({ mailbox }: { mailbox: Mailbox }) {
  const { last_polled_at } = mailbox;
  if (mailbox.last_error)
    return <Alert tone="destructive">{t('settings.mail.last_check_of_mailbox_failed', { last_error: mailbox.last_error })}</Alert>;
  if (!last_polled_at) return null;
  return (
    <p className="text-xs text-muted">
      <Rich text={t('settings.mail.last_checked')} tags={{ time: () => <Time iso={last_polled_at} relative /> }} />
    </p>
  );
}

/** An external mailbox that is polled every minute. */
export function MailboxCard({ mailbox }: { mailbox: Mailbox | null }) {
  const actions = mailbox && (
    <span className="flex items-center gap-2">
      <Badge tone={mailbox.is_active ? 'green' : 'gray'}>
        {mailbox.is_active ? t('settings.mail.active') : t('settings.mail.inactive')}
      </Badge>
      <Disconnect />
    </span>
  );
  return (
    <Card aria-labelledby="mailbox">
      <CardHeader id="mailbox" title={t('settings.mail.imap_mailbox')} actions={actions} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">{t('settings.mail.what_mailbox_does')}</p>
        {mailbox && <MailboxStatus mailbox={mailbox} />}
        <Suspense fallback={<Skeleton className="h-80" />}>
          <MailboxFields mailbox={mailbox} />
        </Suspense>
      </div>
    </Card>
  );
}
