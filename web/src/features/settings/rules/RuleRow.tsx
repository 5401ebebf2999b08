import type { Rule } from '@tandem/contracts';
import { ArrowDown, ArrowUp, Copy, Ellipsis, GripVertical, Pencil, Trash2 } from 'lucide-react';
import type { HTMLAttributes } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
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
              { label: t('settings.rules.move_up'), icon: ArrowUp, onSelect: () => onMove(-1) },
              { label: t('settings.rules.move_down'), icon: ArrowDown, onSelect: () => onMove(1) },
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
  position: number;
  names: RuleNames;
  /** Undefined for managers, who only read. */
  actions: RuleActions | undefined;
  onMove: (by: number) => void;
  handle: HTMLAttributes<HTMLButtonElement>;
  handleHintId: string;
  style: React.CSSProperties | undefined;
  isDragged: boolean;
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

/** One rule of the list. */
export function RuleRow({ rule, position, names, actions, onMove, handle, handleHintId, style, isDragged }: RuleRowProps) {
  return (
    <li
      style={style}
      className={cn(
        'relative flex items-start gap-2 border-b bg-surface py-3 pr-3 pl-1.5 last:rounded-b-lg last:border-b-0 sm:pr-4',
        isDragged && 'rounded-lg border-b-0 shadow-overlay ring-1 ring-line-strong',
        !actions && 'pl-4',
      )}
    >
      {actions && (
        <button
          type="button"
          aria-label={t('settings.rules.move_name', { name: rule.name })}
          aria-describedby={handleHintId}
          className="-my-1 grid h-8 w-6 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink active:cursor-grabbing touch:h-10 touch:w-8"
          {...handle}
        >
          <GripVertical className="size-4" aria-hidden />
        </button>
      )}
      <span aria-hidden className="min-w-4 shrink-0 text-right whitespace-nowrap text-muted tabular sm:min-w-6">
        {position}
      </span>
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
    </li>
  );
}
