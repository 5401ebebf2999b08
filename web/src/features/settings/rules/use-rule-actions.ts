import { useNavigate } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import type { RuleActions } from './RuleRow';
import { useUpdateRuleMutation } from './rules.api';
import { listAddress, newRuleAddress, ruleAddress } from './use-rules-address';
import { useRuleRemoval } from './use-rule-removal';

/** The actions of one rule, in the list and on its page. */
export function useRuleActions(): RuleActions {
  const navigate = useNavigate();
  const [update] = useUpdateRuleMutation();
  const remove = useRuleRemoval();
  return {
    open: ({ id }) => void navigate(ruleAddress(id)),
    duplicate: ({ id }) => void navigate(newRuleAddress({ copy: id })),
    toggle: (rule, is_active) =>
      void update({ id: rule.id, changes: { is_active } }).then(({ error }) => {
        if (error) notify.problem(error, t('settings.rules.couldnt_update_rule'));
      }),
    remove: (rule) => {
      void remove(rule);
      void navigate(listAddress);
    },
  };
}
