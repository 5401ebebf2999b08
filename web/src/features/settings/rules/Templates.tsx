import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { uniqueKey } from '../../../lib/unique';
import { StarterCard } from '../StarterCard';
import { templateNames, templates, type TemplateName } from './templates';
import { useCreateRuleMutation } from './rules.api';
import { newRuleAddress } from './use-rules-address';

/** Opens the rule of a template in the editor. Several rules are created, turned off. */
function useTemplate(onDone: () => void) {
  const { profile } = useSession();
  const navigate = useNavigate();
  const [create, { isLoading }] = useCreateRuleMutation();
  // The same keys for the next attempt: a rule that exists by then is not created again.
  const [keys] = useState(() => new Map<string, string>());
  const keyOf = (rule: string) => keys.get(rule) ?? keys.set(rule, uniqueKey()).get(rule)!;
  const choose = async (name: TemplateName) => {
    const rules = templates[name].rules(profile);
    if (rules.length === 1) {
      onDone();
      return void navigate(newRuleAddress({ template: name }));
    }
    for (const [i, rule] of rules.entries()) {
      const { error } = await create({ rule: { ...rule, is_active: false }, key: keyOf(`${name} ${i}`) });
      if (error) return notify.problem(error, t('settings.rules.couldnt_create_rule'));
    }
    keys.clear();
    onDone();
    notify.success(t('settings.rules.count_rules_added', { count: rules.length }), t('settings.rules.test_before_turning_on'));
  };
  return { choose, isCreating: isLoading };
}

/** The starter templates, and an empty rule. */
export function Templates({ onDone = () => undefined }: { onDone?: () => void }) {
  const navigate = useNavigate();
  const { choose, isCreating } = useTemplate(onDone);
  const blank = () => {
    onDone();
    void navigate(newRuleAddress());
  };
  return (
    <ul aria-label={t('settings.rules.starter_templates')} className="grid gap-2.5 sm:grid-cols-2">
      <li>
        <StarterCard
          icon={Plus}
          title={t('settings.rules.start_from_scratch')}
          description={t('settings.rules.about_scratch')}
          onChoose={blank}
        />
      </li>
      {templateNames.map((name) => (
        <li key={name}>
          <StarterCard
            icon={templates[name].icon}
            title={templates[name].title}
            description={templates[name].description}
            isBusy={isCreating}
            onChoose={() => void choose(name)}
          />
        </li>
      ))}
    </ul>
  );
}
