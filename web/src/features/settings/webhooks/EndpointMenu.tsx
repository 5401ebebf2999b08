import type { WebhookEndpoint } from '@tandem/contracts';
import { Ellipsis, History, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';

export type EndpointAction = 'edit' | 'pause' | 'resume' | 'rotate' | 'test' | 'replay' | 'delete';

/** Short name of an endpoint: its description, otherwise the URL without its scheme. */
export const endpointName = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
  description || url.replace(/^https?:\/\//, '');

export function EndpointMenu({ endpoint, onAction }: { endpoint: WebhookEndpoint; onAction: (action: EndpointAction) => void }) {
  const isActive = endpoint.state === 'active';
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${endpointName(endpoint)}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[
        { label: 'Edit', icon: Pencil, onSelect: () => onAction('edit') },
        isActive
          ? { label: 'Pause', icon: Pause, onSelect: () => onAction('pause') }
          : { label: 'Resume', icon: Play, onSelect: () => onAction('resume') },
        { label: 'Send missed events', icon: History, onSelect: () => onAction('replay') },
        { label: 'Rotate secret', icon: KeyRound, onSelect: () => onAction('rotate') },
        'separator',
        { label: 'Delete', icon: Trash2, onSelect: () => onAction('delete') },
      ]}
    />
  );
}
