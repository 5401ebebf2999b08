import type { WebhookEndpoint } from '@tandem/contracts';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { IssuedValue } from '../../../ui/IssuedValue';
import { endpointName } from './endpoint-labels';
import type { EndpointAction } from './EndpointMenu';
import { useDeleteWebhookEndpointMutation, useUpdateWebhookEndpointMutation } from './webhooks.api';

const EndpointDialog = lazy(() => import('./EndpointDialog').then((module) => ({ default: module.EndpointDialog })));
const ReplayDialog = lazy(() => import('./ReplayDialog').then((module) => ({ default: module.ReplayDialog })));
const RotateSecretDialog = lazy(() => import('./RotateSecretDialog').then((module) => ({ default: module.RotateSecretDialog })));
const TestDialog = lazy(() => import('./TestDialog').then((module) => ({ default: module.TestDialog })));

interface OpenDialog {
  action: EndpointAction | 'create';
  endpoint?: WebhookEndpoint;
}
export interface DialogState {
  open: OpenDialog | undefined;
  /** A new secret, which is shown once. */
  secret: string | undefined;
  create: () => void;
  act: (endpoint: WebhookEndpoint, action: EndpointAction) => void;
  close: () => void;
  show: (secret: string | undefined) => void;
}

/** Which dialog is open. Pausing and resuming need no dialog, because both can be undone. */
export function useEndpointDialogs(): DialogState {
  const [open, setOpen] = useState<OpenDialog>();
  const [secret, setSecret] = useState<string>();
  const [update] = useUpdateWebhookEndpointMutation();
  const setState = async (endpoint: WebhookEndpoint, state: 'active' | 'paused') => {
    const { error } = await update({ id: endpoint.id, changes: { state } });
    if (error)
      return notify.problem(
        error,
        state === 'active' ? t('settings.webhooks.couldnt_resume_endpoint') : t('settings.webhooks.couldnt_pause_endpoint'),
      );
    notify.success(state === 'active' ? t('settings.webhooks.webhook_endpoint_resumed') : t('settings.webhooks.webhook_endpoint_paused'));
    // Events that were skipped in the meantime can be sent now.
    if (state === 'active') setOpen({ action: 'replay', endpoint: { ...endpoint, state } });
  };
  return {
    open,
    secret,
    create: () => setOpen({ action: 'create' }),
    act: (endpoint, action) => {
      if (action === 'pause' || action === 'resume') void setState(endpoint, action === 'pause' ? 'paused' : 'active');
      else setOpen({ action, endpoint });
    },
    close: () => setOpen(undefined),
    show: (next) => {
      setOpen(undefined);
      setSecret(next);
    },
  };
}

function DeleteEndpoint({
  endpoint,
  onDone,
  onDeleted,
}: {
  endpoint: WebhookEndpoint | undefined;
  onDone: () => void;
  onDeleted: () => void;
}) {
  const [remove, { isLoading }] = useDeleteWebhookEndpointMutation();
  const confirm = async () => {
    if (!endpoint) return;
    const { error } = await remove(endpoint.id);
    onDone();
    if (error) return notify.problem(error, t('settings.webhooks.failed_to_delete_endpoint'));
    notify.success(t('settings.webhooks.webhook_endpoint_deleted'));
    onDeleted();
  };
  const waiting = endpoint?.health.pending ?? 0;
  return (
    <ConfirmDialog
      open={endpoint !== undefined}
      onOpenChange={(open) => !open && onDone()}
      title={t('settings.webhooks.delete_endpoint_name', { endpointName: endpoint ? endpointName(endpoint) : '' })}
      description={t('settings.webhooks.no_more_events_are_sent', { waiting })}
      action={t('settings.webhooks.delete_endpoint')}
      busy={isLoading}
      onConfirm={() => void confirm()}
    />
  );
}

interface EndpointDialogsProps {
  dialogs: DialogState;
  onOpenDelivery: (endpoint: WebhookEndpoint, deliveryId: string) => void;
  onDeleted: () => void;
}

/** The dialogs of all actions on endpoints. */
export function EndpointDialogs({ dialogs, onOpenDelivery, onDeleted }: EndpointDialogsProps) {
  const { open, secret, close, show } = dialogs;
  const endpointFor = (action: EndpointAction) => (open?.action === action ? open.endpoint : undefined);
  const [editing, rotating, testing, replaying] = [endpointFor('edit'), endpointFor('rotate'), endpointFor('test'), endpointFor('replay')];
  return (
    <>
      <Suspense fallback={null}>
        {(open?.action === 'create' || editing) && (
          <EndpointDialog endpoint={editing} onClose={close} onCreated={(_endpoint, created) => show(created)} />
        )}
        {rotating && <RotateSecretDialog endpoint={rotating} onClose={close} onRotated={show} />}
        {replaying && <ReplayDialog endpoint={replaying} onClose={close} />}
        {testing && (
          <TestDialog
            endpoint={testing}
            onClose={close}
            onOpenDelivery={(id) => {
              close();
              onOpenDelivery(testing, id);
            }}
          />
        )}
      </Suspense>
      {secret && (
        <IssuedValue title={t('settings.webhooks.secret_of_your_endpoint')} kind="secret" value={secret} onClose={() => show(undefined)}>
          <p className="text-muted">{t('settings.webhooks.what_signing_secret_is_for')}</p>
        </IssuedValue>
      )}
      <DeleteEndpoint endpoint={endpointFor('delete')} onDone={close} onDeleted={onDeleted} />
    </>
  );
}
