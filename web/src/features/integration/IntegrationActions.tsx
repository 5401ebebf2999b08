import type { Integration, TaskTool } from '@tandem/contracts';
import { Ellipsis, Pause, Play, ScrollText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Menu } from '../../ui/Menu';
import { useDeleteIntegrationMutation, useUpdateIntegrationMutation } from './integration.api';

const EditDialog = lazy(() => import('./EditDialog').then((module) => ({ default: module.EditDialog })));
const SyncLog = lazy(() => import('./SyncLog').then((module) => ({ default: module.SyncLog })));

/** Hidden while the connection is broken: a new connection resumes the integration automatically. */
function PauseButton({ integration: { id, is_active, pause_reason } }: { integration: Integration }) {
  const [update, { isLoading }] = useUpdateIntegrationMutation();
  if (!is_active && pause_reason === 'connection_broken') return null;
  const Icon = is_active ? Pause : Play;
  const toggle = async () => {
    const { error } = await update({ id, changes: { is_active: !is_active } });
    if (error)
      notify.problem(error, is_active ? t('integration.failed_to_pause_integration') : t('integration.failed_to_resume_integration'));
    else notify.success(is_active ? t('integration.integration_paused') : t('integration.integration_resumed'));
  };
  return (
    <Button size="sm" busy={isLoading} onClick={() => void toggle()}>
      {!isLoading && <Icon aria-hidden />}
      {is_active ? t('integration.pause') : t('integration.resume')}
    </Button>
  );
}

function Remove({ integration, onDone }: { integration: Integration; onDone: () => void }) {
  const [remove, { isLoading }] = useDeleteIntegrationMutation();
  const confirm = async () => {
    const { error } = await remove(integration.id);
    onDone();
    if (error) notify.problem(error, t('integration.failed_to_remove_integration'));
    else notify.success(t('integration.integration_removed'));
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onDone()}
      title={t('integration.remove_integration_of_list_name', { list_name: integration.list_name })}
      description={t('integration.its_links_between_tickets_and_tasks')}
      action={t('integration.remove')}
      busy={isLoading}
      onConfirm={() => void confirm()}
    />
  );
}

/** Pause or resume, and a menu with less frequent actions. */
export function IntegrationActions({ integration, tool }: { integration: Integration; tool: TaskTool | undefined }) {
  const [open, setOpen] = useState<'edit' | 'log' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <div className="flex shrink-0 items-center gap-1.5">
      <PauseButton integration={integration} />
      <Button size="sm" onClick={() => setOpen('log')}>
        <ScrollText aria-hidden />
        {t('integration.sync_log')}
      </Button>
      <Menu
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={t('integration.more_for_list_name', { list_name: integration.list_name })}>
            <Ellipsis aria-hidden />
          </Button>
        }
        entries={[
          ...(tool ? [{ label: t('integration.edit'), onSelect: () => setOpen('edit') }] : []),
          { label: t('integration.remove'), onSelect: () => setOpen('remove') },
        ]}
      />
      <Suspense fallback={null}>
        {open === 'edit' && tool && <EditDialog integration={integration} tool={tool} onClose={close} />}
        {open === 'log' && <SyncLog integration={integration} onClose={close} />}
        {open === 'remove' && <Remove integration={integration} onDone={close} />}
      </Suspense>
    </div>
  );
}
