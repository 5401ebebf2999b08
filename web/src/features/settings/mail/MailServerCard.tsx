import type { MailServer } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Rich } from '../../../ui/Rich';
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
    if (error) notify.problem(error, t('settings.mail.failed_to_remove_smtp_server'));
    else notify.success(t('settings.mail.smtp_server_removed'));
  };
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{t('settings.mail.remove')}</Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={t('settings.mail.remove_this_smtp_server')}
        description={t('settings.mail.what_removing_server_does')}
        action={t('settings.mail.remove')}
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

function Status({ server: { from_address, failing_since, last_error } }: { server: MailServer }) {
  if (failing_since === null) return <p>{t('settings.mail.sender_of_emails', { from_address })}</p>;
  return (
    <Alert tone="destructive" className="[overflow-wrap:anywhere]">
      <Rich
        text={t('settings.mail.last_error_we_keep_trying', { last_error: last_error ?? '' })}
        tags={{
          b: () => (
            <b className="font-semibold">
              <Rich text={t('settings.mail.emails_are_waiting_since')} tags={{ time: () => <Time iso={failing_since} /> }} />
            </b>
          ),
        }}
      />
    </Alert>
  );
}

function Details({ server }: { server: MailServer | null }) {
  const [isOpen, setIsOpen] = useState(() => unsavedServer.get() !== null);
  if (!server && !isOpen)
    return (
      <Button className="self-start" onClick={() => setIsOpen(true)}>
        {t('settings.mail.add_smtp_server')}
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
      <Badge tone={server.failing_since === null ? 'green' : 'red'}>
        {server.failing_since === null ? t('settings.mail.in_use') : t('settings.mail.failing')}
      </Badge>
      <Remove />
    </span>
  );
  return (
    <Card aria-labelledby="mail-server">
      <CardHeader id="mail-server" title={t('settings.mail.smtp_server')} actions={actions} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">{t('settings.mail.what_own_server_does')}</p>
        {error && server === undefined ? (
          <ErrorNote
            title={t('settings.mail.couldnt_load_settings')}
            detail={messageOf(error, '')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : server === undefined ? (
          <Skeleton className="h-9 w-40" />
        ) : (
          <Details server={server} />
        )}
      </div>
    </Card>
  );
}
