import { useSearchParams } from 'react-router-dom';
import { isTemplateName, type TemplateName } from './templates';

export const listAddress = '/settings?tab=rules';
export const ruleAddress = (id: string): string => `${listAddress}&rule=${id}`;
export const newRuleAddress = (from?: { template: TemplateName } | { copy: string }): string =>
  `${listAddress}&rule=new${from ? `&${new URLSearchParams({ ...from }).toString()}` : ''}`;

/** The open rule. It is in the address, so that the timeline of a ticket can link to it. */
export function useRulesAddress() {
  const [params] = useSearchParams();
  const template = params.get('template');
  return {
    /** An id, or `new`. */
    rule: params.get('rule') ?? undefined,
    template: isTemplateName(template) ? template : undefined,
    copy: params.get('copy') ?? undefined,
  };
}
