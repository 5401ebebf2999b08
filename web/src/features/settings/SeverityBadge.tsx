import type { Severity } from '@tandem/contracts/values';
import { t } from '../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../ui/Badge';

const looks: Record<Severity, { label: string; tone: BadgeTone }> = {
  high: { label: t('settings.high'), tone: 'red' },
  medium: { label: t('settings.medium'), tone: 'amber' },
  low: { label: t('settings.low'), tone: 'gray' },
};
export const severityOptions = (['high', 'medium', 'low'] as const).map((value) => ({ value, label: looks[value].label }));

export const SeverityBadge = ({ severity }: { severity: Severity }) => <Badge tone={looks[severity].tone}>{looks[severity].label}</Badge>;
