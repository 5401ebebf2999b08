import type { ActingRule } from '@tandem/contracts';
import { useSession } from '../../app/api';

/** The address of a rule's settings; undefined for agents, who cannot open them. */
export function useRuleAddress(rule: ActingRule | null): string | undefined {
  const { role } = useSession().profile;
  return rule && role !== 'agent' ? `/settings?tab=rules&rule=${rule.id}` : undefined;
}
