import type { Rule } from '@tandem/contracts';
import { ArrowDown, ArrowUp, Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Menu } from '../../../ui/Menu';
import { Switch } from '../../../ui/Switch';
import { RuleSentence } from './RuleSentence';
import { RuleActivity, RuleProblem } from './RuleState';
import type { RuleNames } from './rule-labels';
import { ruleAddress } from './use-rules-address';

export interface RuleActions {
  toggle: (rule: Rule, isActive: boolean) => void;
  remove: (rule: Rule) => void;
  open: (rule: Rule) => void;
  duplicate: (rule: Rule) => void;
}

interface RuleMenuProps {
  rule: Rule;
  actions: RuleActions;
  /** On the page of the rule: without the actions of the list. */
  onMove?: ((by: number) => void) | undefined;
}

/** The actions of a rule. Moving is there for those who cannot drag. */
export function RuleMenu({ rule, actions, onMove }: RuleMenuProps) {
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={t('settings.rules.actions_for_name', { name: rule.name })}>
          <Ellipsis aria-hidden />
        </Button>
      }
      entries={[
        ...(onMove
          ? [
              { label: t('settings.rules.edit'), icon: Pencil, onSelect: () => actions.open(rule) },
              { label: t('settings.move_up'), icon: ArrowUp, onSelect: () => onMove(-1) },
              { label: t('settings.move_down'), icon: ArrowDown, onSelect: () => onMove(1) },
            ]
          : []),
        { label: t('settings.rules.duplicate'), icon: Copy, onSelect: () => actions.duplicate(rule) },
        'separator' as const,
        { label: t('settings.rules.delete'), icon: Trash2, onSelect: () => actions.remove(rule) },
      ]}
    />
  );
}

interface RuleRowProps {
  rule: Rule;
  names: RuleNames;
  /** Undefined for managers, who only read. */
  actions: RuleActions | undefined;
  onMove: (by: number) => void;
}

/** Turns the rule on and off. Managers see the state. */
function Controls({ rule, actions, onMove }: Pick<RuleRowProps, 'rule' | 'actions' | 'onMove'>) {
  if (!actions)
    return <span className="shrink-0 text-xs text-muted">{rule.is_active ? t('settings.rules.on') : t('settings.rules.off')}</span>;
  return (
    <div className="-my-1 flex shrink-0 items-center gap-2">
      <Switch
        label={t('settings.rules.name_is_on', { name: rule.name })}
        hideLabel
        checked={rule.is_active}
        onChange={(isActive) => actions.toggle(rule, isActive)}
      />
      <RuleMenu rule={rule} actions={actions} onMove={onMove} />
    </div>
  );
}

/** The content of one row of the list. */
export function RuleRow({ rule, names, actions, onMove }: RuleRowProps) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 pl-1">
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1">
          <Link to={ruleAddress(rule.id)} className="font-medium [overflow-wrap:anywhere] hover:underline" dir="auto">
            {rule.name}
          </Link>
        </p>
        <Controls rule={rule} actions={actions} onMove={onMove} />
      </div>
      <p className="text-pretty [overflow-wrap:anywhere] text-muted">
        <RuleSentence rule={rule} names={names} />
      </p>
      <RuleActivity rule={rule} />
      <RuleProblem rule={rule} />
    </div>
  );
}
