import type { Severity } from '@tandem/contracts/values';
import { Badge, type BadgeTone } from '../../ui/Badge';

const looks: Record<Severity, { label: string; tone: BadgeTone }> = {
  high: { label: 'High', tone: 'red' },
  medium: { label: 'Medium', tone: 'amber' },
  low: { label: 'Low', tone: 'gray' },
};
export const severityOptions = (['high', 'medium', 'low'] as const).map((value) => ({ value, label: looks[value].label }));

export const SeverityBadge = ({ severity }: { severity: Severity }) => <Badge tone={looks[severity].tone}>{looks[severity].label}</Badge>;
