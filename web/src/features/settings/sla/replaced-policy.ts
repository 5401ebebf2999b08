import type { SlaPolicy } from '@tandem/contracts';
import { t } from '../../../lib/staff-texts';

/** Only one policy per priority can be active: returns a message about the one that the saved policy deactivated. */
export function replacedBy(
  saved: Pick<SlaPolicy, 'priority_level' | 'is_active'> & { id?: string | undefined },
  before: readonly SlaPolicy[],
): string | undefined {
  if (!saved.is_active) return undefined;
  const replaced = before.find((each) => each.is_active && each.priority_level === saved.priority_level && each.id !== saved.id);
  return replaced && t('settings.sla.policy_was_deactivated', { name: replaced.name });
}
