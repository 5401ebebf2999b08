import { conditionFields, conditionLimits, type FieldFor } from '@tandem/contracts/values';
import { Plus, X } from 'lucide-react';
import { useListMembersQuery } from '../../../app/api';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Field, type FieldControl } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { MultiSelect } from '../../../ui/MultiSelect';
import { Select } from '../../../ui/Select';
import {
  choicesOf,
  fieldOptions,
  needsValue,
  newRow,
  operatorOptions,
  rowError,
  type ConditionDraft,
  type ConditionRow,
} from './condition-form';

const yesOrNo = [
  { value: 'true', label: t('settings.webhooks.yes') },
  { value: 'false', label: t('settings.webhooks.no') },
];

interface ValueProps {
  row: ConditionRow;
  control: FieldControl;
  set: (part: Partial<ConditionRow>) => void;
}

/** The control for the value, which depends on the type of the field. */
function Value({ row, control, set }: ValueProps) {
  const { data: members = [] } = useListMembersQuery(undefined, { skip: conditionFields[row.field].type !== 'member' });
  const { type } = conditionFields[row.field];
  if (type === 'yes_no') return <Select {...control} value={row.text} options={yesOrNo} onChange={(text) => set({ text })} />;
  if (type === 'set')
    return <TicketTagInput control={control} value={row.values} onChange={(values) => set({ values })} max={conditionLimits.values} />;
  if (type === 'choice' || type === 'member') {
    const options = choicesOf(row.field) ?? members.map((member) => ({ value: member.user_id, label: nameOf(member) }));
    return (
      <MultiSelect
        label={t('settings.webhooks.values')}
        all={t('settings.webhooks.no_value')}
        short={t('settings.webhooks.choose_values')}
        className="h-8 w-full touch:h-10"
        value={row.values}
        options={options}
        onChange={(values) => set({ values })}
      />
    );
  }
  return (
    <Input
      {...control}
      inputMode={type === 'number' ? 'numeric' : 'text'}
      maxLength={conditionLimits.valueLength}
      value={row.text}
      onChange={(event) => set({ text: event.target.value })}
    />
  );
}

interface RowProps {
  row: ConditionRow;
  showsErrors: boolean;
  onChange: (row: ConditionRow) => void;
  onRemove: () => void;
}

function Row({ row, showsErrors, onChange, onRemove }: RowProps) {
  const set = (part: Partial<ConditionRow>) => onChange({ ...row, ...part });
  return (
    <li className="flex items-start gap-2 rounded-md border bg-sunken p-2.5">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-3">
        <Select
          label={t('settings.webhooks.field')}
          value={row.field}
          options={fieldOptions}
          onChange={(field) => onChange({ ...newRow(field as FieldFor<'webhook'>), id: row.id })}
        />
        <Select
          label={t('settings.webhooks.comparison')}
          value={row.op}
          options={operatorOptions(row.field)}
          onChange={(op) => set({ op: op as ConditionRow['op'] })}
        />
        {needsValue(row) && (
          <Field label={t('settings.webhooks.value')} hideLabel error={showsErrors ? rowError(row) : undefined}>
            {(control) => <Value row={row} control={control} set={set} />}
          </Field>
        )}
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('settings.webhooks.remove_condition_on_label', { label: conditionFields[row.field].label })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

const matchOptions = [
  { value: 'none', label: t('settings.webhooks.every_ticket') },
  { value: 'all', label: t('settings.webhooks.tickets_that_match_all_conditions') },
  { value: 'any', label: t('settings.webhooks.tickets_that_match_any_condition') },
];

interface ConditionEditorProps {
  draft: ConditionDraft;
  showsErrors: boolean;
  onChange: (draft: ConditionDraft) => void;
}

/** Which tickets' events are sent: rows of field, comparison and value. */
export function ConditionEditor({ draft, showsErrors, onChange }: ConditionEditorProps) {
  const { match, rows } = draft;
  const choose = (next: string) =>
    onChange({ match: next as ConditionDraft['match'], rows: next !== 'none' && rows.length === 0 ? [newRow()] : rows });
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('settings.webhooks.tickets')}>
        {(control) => <Select {...control} value={match} options={matchOptions} onChange={choose} />}
      </Field>
      {match !== 'none' && (
        <>
          <ul aria-label={t('settings.webhooks.conditions')} className="flex flex-col gap-2">
            {rows.map((row) => (
              <Row
                key={row.id}
                row={row}
                showsErrors={showsErrors}
                onChange={(changed) => onChange({ match, rows: rows.map((each) => (each.id === row.id ? changed : each)) })}
                onRemove={() => {
                  const left = rows.filter((each) => each.id !== row.id);
                  onChange({ match: left.length === 0 ? 'none' : match, rows: left });
                }}
              />
            ))}
          </ul>
          <Button
            size="sm"
            variant="ghost"
            className="self-start"
            disabled={rows.length >= conditionLimits.conditions}
            onClick={() => onChange({ match, rows: [...rows, newRow()] })}
          >
            <Plus aria-hidden />
            {t('settings.webhooks.add_condition')}
          </Button>
        </>
      )}
    </div>
  );
}
