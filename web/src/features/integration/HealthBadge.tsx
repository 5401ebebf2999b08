import type { Integration } from '@tandem/contracts';
import { CircleCheck, CirclePause, CircleX, RefreshCw, TriangleAlert, type LucideIcon } from 'lucide-react';
import { Badge, type BadgeTone } from '../../ui/Badge';

const looks: Record<Integration['health'], { label: string; tone: BadgeTone; icon: LucideIcon }> = {
  broken: { label: 'Broken', tone: 'red', icon: CircleX },
  attention: { label: 'Needs attention', tone: 'amber', icon: TriangleAlert },
  catching_up: { label: 'Catching up', tone: 'blue', icon: RefreshCw },
  ok: { label: 'In sync', tone: 'green', icon: CircleCheck },
  paused: { label: 'Paused', tone: 'gray', icon: CirclePause },
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
