import type { Integration, TaskTool } from '@tandem/contracts';
import { Ellipsis, Pause, Play, ScrollText } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../lib/notify';
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
    if (error) notify.problem(error, `Failed to ${is_active ? 'pause' : 'resume'} the integration`);
    else notify.success(is_active ? 'Integration paused' : 'Integration resumed');
  };
  return (
    <Button size="sm" busy={isLoading} onClick={() => void toggle()}>
      {!isLoading && <Icon aria-hidden />}
      {is_active ? 'Pause' : 'Resume'}
    </Button>
  );
}

function Remove({ integration, onDone }: { integration: Integration; onDone: () => void }) {
  const [remove, { isLoading }] = useDeleteIntegrationMutation();
  const confirm = async () => {
    const { error } = await remove(integration.id);
    onDone();
    if (error) notify.problem(error, 'Failed to remove the integration');
    else notify.success('Integration removed');
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onDone()}
      title={`Remove the integration of “${integration.list_name}”?`}
      description="Its links between tickets and tasks are removed. Tickets and tasks are not changed, but stop syncing."
      action="Remove"
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
        Sync log
      </Button>
      <Menu
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={`More for ${integration.list_name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
        entries={[
          ...(tool ? [{ label: 'Edit', onSelect: () => setOpen('edit') }] : []),
          { label: 'Remove', onSelect: () => setOpen('remove') },
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
