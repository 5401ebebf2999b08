import type { RuleAction } from '@tandem/contracts';
import { ruleLimits } from '@tandem/contracts/values';
import { Plus, X } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Select } from '../../../ui/Select';
import { ActionValue } from './ActionValue';
import { FormError } from '../FormError';
import { actionPath, actionRow, actionTypes, newAction, type ActionRow, type ActionType } from './rule-form';
import type { RuleNames } from './rule-labels';
import type { PartProps } from './When';

const typeLabels: Record<ActionType, string> = {
  assign: t('settings.rules.action_assign'),
  set_status: t('settings.rules.action_set_status'),
  set_priority: t('settings.rules.action_set_priority'),
  set_category: t('settings.rules.action_set_category'),
  set_field: t('settings.rules.action_set_field'),
  add_tags: t('settings.rules.action_add_tags'),
  remove_tags: t('settings.rules.action_remove_tags'),
  add_watchers: t('settings.rules.action_add_watchers'),
  remove_watchers: t('settings.rules.action_remove_watchers'),
  send_reply: t('settings.rules.action_send_reply'),
  add_note: t('settings.rules.action_add_note'),
  send_to_webhook: t('settings.rules.action_send_to_webhook'),
};

/** Custom fields are only offered where there are some. */
const typeOptions = (current: ActionType, { fields }: RuleNames) =>
  actionTypes
    .filter((type) => type !== 'set_field' || type === current || fields?.some(({ deleted_at }) => deleted_at === null))
    .map((value) => ({ value, label: typeLabels[value] }));

interface ActionProps {
  row: ActionRow;
  error: string | undefined;
  names: RuleNames;
  isOnly: boolean;
  onChange: (action: RuleAction) => void;
  onRemove: () => void;
}

function Action({ row: { action }, error, names, isOnly, onChange, onRemove }: ActionProps) {
  const isText = action.type === 'send_reply' || action.type === 'add_note';
  return (
    <li className="flex items-start gap-2 rounded-md border bg-sunken p-2.5">
      <div
        className={
          isText
            ? 'flex min-w-0 flex-1 flex-col gap-3'
            : 'grid min-w-0 flex-1 items-start gap-2 sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)]'
        }
      >
        <div className={isText ? 'sm:max-w-48' : ''}>
          <Select
            label={t('settings.rules.action')}
            value={action.type}
            options={typeOptions(action.type, names)}
            onChange={(type) => onChange(newAction(type as ActionType))}
          />
        </div>
        <ActionValue action={action} error={error} names={names} onChange={onChange} />
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('settings.rules.remove_action', { action: typeLabels[action.type] })}
        disabled={isOnly}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

/** What the rule does, in order. */
export function Then({ draft, errors, set, names }: PartProps & { names: RuleNames }) {
  const { actions } = draft;
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label={t('settings.rules.actions')} className="flex flex-col gap-2">
        {actions.map((row) => (
          <Action
            key={row.key}
            row={row}
            error={errors[actionPath(row.key)]}
            names={names}
            isOnly={actions.length === 1}
            onChange={(action) => set({ actions: actions.map((each) => (each.key === row.key ? { ...each, action } : each)) })}
            onRemove={() => set({ actions: actions.filter(({ key }) => key !== row.key) })}
          />
        ))}
      </ol>
      <Button
        size="sm"
        variant="ghost"
        className="self-start"
        disabled={actions.length >= ruleLimits.actions}
        onClick={() => set({ actions: [...actions, actionRow(newAction('add_tags'))] })}
      >
        <Plus aria-hidden />
        {t('settings.rules.add_action')}
      </Button>
      {errors.actions && <FormError>{errors.actions}</FormError>}
    </div>
  );
}
