import type { WebhookEndpoint } from '@tandem/contracts';
import { Ellipsis, History, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { endpointName } from './endpoint-labels';

export type EndpointAction = 'edit' | 'pause' | 'resume' | 'rotate' | 'test' | 'replay' | 'delete';

export function EndpointMenu({ endpoint, onAction }: { endpoint: WebhookEndpoint; onAction: (action: EndpointAction) => void }) {
  const isActive = endpoint.state === 'active';
  return (
    <Menu
      trigger={
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('settings.webhooks.actions_for_endpoint_name', { endpointName: endpointName(endpoint) })}
        >
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[
        { label: t('settings.webhooks.edit'), icon: Pencil, onSelect: () => onAction('edit') },
        isActive
          ? { label: t('settings.webhooks.pause'), icon: Pause, onSelect: () => onAction('pause') }
          : { label: t('settings.webhooks.resume'), icon: Play, onSelect: () => onAction('resume') },
        { label: t('settings.webhooks.send_missed_events'), icon: History, onSelect: () => onAction('replay') },
        { label: t('settings.webhooks.rotate_secret'), icon: KeyRound, onSelect: () => onAction('rotate') },
        'separator',
        { label: t('settings.webhooks.delete'), icon: Trash2, onSelect: () => onAction('delete') },
      ]}
    />
  );
}
