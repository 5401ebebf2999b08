import type { Integration } from '@tandem/contracts';
import { CircleCheck, CirclePause, CircleX, RefreshCw, TriangleAlert, type LucideIcon } from 'lucide-react';
import { t } from '../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../ui/Badge';

const looks: Record<Integration['health'], { label: string; tone: BadgeTone; icon: LucideIcon }> = {
  broken: { label: t('integration.broken'), tone: 'red', icon: CircleX },
  attention: { label: t('integration.needs_attention'), tone: 'amber', icon: TriangleAlert },
  catching_up: { label: t('integration.catching_up'), tone: 'blue', icon: RefreshCw },
  ok: { label: t('integration.in_sync'), tone: 'green', icon: CircleCheck },
  paused: { label: t('integration.paused'), tone: 'gray', icon: CirclePause },
};

/** Health of an integration, readable without color. */
export function HealthBadge({ health }: { health: Integration['health'] }) {
  const { label, tone, icon: Icon } = looks[health];
  return (
    <Badge tone={tone}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}
