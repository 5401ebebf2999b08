import type { TaskRules } from '@tandem/contracts';
import {
  commentSyncLabels,
  commentSyncs,
  conflictRuleLabels,
  conflictRules,
  finishedTaskLabels,
  finishedTaskRules,
  taskRules,
  type TaskRule,
  type TicketPriority,
} from '@tandem/contracts/values';
import { TicketTagInput } from '../../app/TicketTagInput';
import { t } from '../../lib/staff-texts';
import { priorityOptions } from '../../lib/ticket-badges';
import { Field } from '../../ui/Field';
import { MultiSelect } from '../../ui/MultiSelect';
import { Select } from '../../ui/Select';
import { TagInput } from '../../ui/TagInput';
import { FinishedReply } from './FinishedReply';
import type { SettingsProps } from './settings-draft';

const ruleLabels: Record<TaskRule, string> = {
  all: t('integration.every_new_ticket'),
  matching: t('integration.new_tickets_that_match'),
  none: t('integration.none_link_tickets_manually'),
};
const choicesOf = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

interface ChoiceProps<Value extends string> {
  label: string;
  hint?: string;
  value: Value;
  values: readonly Value[];
  labels: Record<Value, string>;
  onChange: (value: Value) => void;
}
function Choice<Value extends string>({ label, hint, value, values, labels, onChange }: ChoiceProps<Value>) {
  return (
    <Field label={label} hint={hint}>
      {(control) => <Select {...control} value={value} options={choicesOf(values, labels)} onChange={(next) => onChange(next as Value)} />}
    </Field>
  );
}

/** A ticket matches if it has one of the values of each kind that lists any. */
function Matching({ rules, set }: { rules: TaskRules; set: (changes: Partial<TaskRules>) => void }) {
  return (
    <div className="grid gap-4 border-l-2 pl-4 sm:grid-cols-2">
      <Field label={t('integration.categories')} hint={t('integration.press_enter_to_add')}>
        {(control) => (
          <TagInput control={control} value={rules.categories} max={50} maxLength={100} onChange={(categories) => set({ categories })} />
        )}
      </Field>
      <Field label={t('integration.tags')} hint={t('integration.press_enter_to_add')}>
        {(control) => <TicketTagInput control={control} value={rules.tags} onChange={(tags) => set({ tags })} />}
      </Field>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium" aria-hidden>
          {t('integration.priorities')}
        </span>
        <MultiSelect
          label={t('integration.priorities')}
          all={t('integration.any_priority')}
          value={rules.priorities}
          options={priorityOptions}
          onChange={(priorities) => set({ priorities: priorities as TicketPriority[] })}
          className="w-full"
        />
      </div>
      <p className="self-end text-xs text-muted">{t('integration.what_filters_do')}</p>
    </div>
  );
}

/** Settings that are rarely changed. */
export function MoreSettings({ tool, draft, set }: SettingsProps) {
  const { rules } = draft;
  const setRules = (changes: Partial<TaskRules>) => set({ rules: { ...rules, ...changes } });
  return (
    <div className="flex flex-col gap-5 border-t p-4">
      <Choice
        label={t('integration.which_tickets_become_tasks')}
        value={rules.create}
        values={taskRules}
        labels={ruleLabels}
        onChange={(create) => setRules({ create })}
      />
      {rules.create === 'matching' && <Matching rules={rules} set={setRules} />}
      {tool.capabilities.comments && (
        <Choice
          label={t('integration.comments')}
          hint={t('integration.internal_notes_stay')}
          value={draft.comment_sync}
          values={commentSyncs}
          labels={commentSyncLabels}
          onChange={(comment_sync) => set({ comment_sync })}
        />
      )}
      <Choice
        label={t('integration.if_both_sides_change')}
        value={draft.conflict_rule}
        values={conflictRules}
        labels={conflictRuleLabels}
        onChange={(conflict_rule) => set({ conflict_rule })}
      />
      <Choice
        label={t('integration.when_task_is_finished')}
        value={draft.on_task_finished}
        values={finishedTaskRules}
        labels={finishedTaskLabels}
        onChange={(on_task_finished) => set({ on_task_finished })}
      />
      <FinishedReply value={draft.finished_reply} onChange={(finished_reply) => set({ finished_reply })} />
    </div>
  );
}
