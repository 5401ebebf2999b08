import type { CustomField } from '@tandem/contracts';
import { conditionLimits, isCustomFieldName, type ConditionField, type ConditionUse } from '@tandem/contracts/values';
import { CircleAlert, Plus, X } from 'lucide-react';
import { useId } from 'react';
import { nameOf } from '../../lib/names';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Field, type FieldControl } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { MultiSelect } from '../../ui/MultiSelect';
import { Select } from '../../ui/Select';
import { useListMembersQuery } from '../api';
import { useListCustomFieldsQuery } from '../custom-fields/custom-fields.api';
import { fieldValueText, optionsWithRemoved } from '../custom-fields/field-text';
import { OptionPicker } from '../custom-fields/OptionPicker';
import { TicketTagInput } from '../TicketTagInput';
import {
  changedRow,
  needsValue,
  newCustomFieldRow,
  newRow,
  rowError,
  valueOf,
  type ConditionDraft,
  type ConditionRow,
} from './condition-form';
import { choicesOf, definitionOf, fieldLabel, fieldOptions, operatorOptions, type Definitions } from './condition-labels';

const yesOrNo = [
  { value: 'true', label: t('app.conditions.yes') },
  { value: 'false', label: t('app.conditions.no') },
];

/** Values to suggest, in addition to the tags of the newest tickets. */
export interface ConditionSuggestions {
  category?: readonly string[];
  tag?: readonly string[];
}

interface ValueProps {
  row: ConditionRow;
  suggestions: ConditionSuggestions;
  control: FieldControl;
  set: (part: Partial<ConditionRow>) => void;
}

/** Several values, of those that the field can have. */
function Choices({ row, set }: Pick<ValueProps, 'row' | 'set'>) {
  const { data: members = [] } = useListMembersQuery(undefined, { skip: row.type !== 'member' });
  return (
    <MultiSelect
      label={t('app.conditions.values')}
      all={t('app.conditions.no_value')}
      short={t('app.conditions.choose_values')}
      look="field"
      value={row.values}
      options={choicesOf(row.field) ?? members.map((member) => ({ value: member.user_id, label: nameOf(member) }))}
      onChange={(values) => set({ values })}
    />
  );
}

function Text({ row, suggestions: { category = [] }, control, set }: ValueProps) {
  const listId = useId();
  const isNumber = row.type === 'number' || row.type === 'hours';
  const suggested = row.field === 'category' && category.length > 0;
  return (
    <>
      <Input
        {...control}
        inputMode={isNumber ? 'decimal' : 'text'}
        maxLength={conditionLimits.valueLength}
        list={suggested ? listId : undefined}
        value={row.text}
        onChange={(event) => set({ text: event.target.value })}
      />
      {suggested && (
        <datalist id={listId}>
          {category.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The control for the value, which depends on the type of the field. */
function Value(props: ValueProps) {
  const { row, suggestions, control, set } = props;
  const { type } = row;
  if (type === 'yes_no') return <Select {...control} value={row.text} options={yesOrNo} onChange={(text) => set({ text })} />;
  if (type === 'choice' || type === 'member' || choicesOf(row.field)) return <Choices {...props} />;
  if (type !== 'set') return <Text {...props} />;
  return (
    <TicketTagInput
      control={control}
      value={row.values}
      onChange={(values) => set({ values })}
      max={conditionLimits.values}
      suggestions={suggestions.tag ?? []}
    />
  );
}

/** The control for the value of a custom field. */
function CustomFieldValue({ definition, ...props }: ValueProps & { definition: CustomField }) {
  const { row, control, set } = props;
  switch (definition.type) {
    case 'choice':
    case 'choices':
      return (
        <OptionPicker
          control={control}
          label={t('app.conditions.values')}
          options={optionsWithRemoved(definition, row.values)}
          value={row.values}
          isMultiple
          placeholder={t('app.conditions.choose_values')}
          onChange={(values) => set({ values })}
        />
      );
    case 'date':
      return <Input {...control} type="date" max="9999-12-31" value={row.text} onChange={({ target }) => set({ text: target.value })} />;
    case 'yes_no':
    case 'number':
    case 'text':
    case 'long_text':
      return <Value {...props} row={{ ...row, type: definition.type }} />;
  }
}

interface RowProps {
  row: ConditionRow;
  use: ConditionUse;
  definitions: Definitions;
  suggestions: ConditionSuggestions;
  showsErrors: boolean;
  onChange: (row: ConditionRow) => void;
  onRemove: () => void;
}

/** A custom field that was deleted, or is not loaded yet: its condition can only be removed or replaced. */
const FixedComparison = ({ row, definition }: { row: ConditionRow; definition: CustomField | undefined }) => (
  <>
    <Select
      label={t('app.conditions.comparison')}
      value={row.op}
      options={operatorOptions(row.field, definition, row.op)}
      disabled
      onChange={() => undefined}
    />
    {needsValue(row) && (
      <Input
        aria-label={t('app.conditions.value')}
        disabled
        value={fieldValueText(definition ?? { type: 'text', options: [] }, valueOf(row) ?? '')}
      />
    )}
  </>
);

function Comparison({ row, definition, suggestions, showsErrors, onChange }: RowProps & { definition: CustomField | undefined }) {
  const set = (part: Partial<ConditionRow>) => {
    const changed = { ...row, ...part };
    onChange(definition ? changedRow(changed, definition) : changed);
  };
  return (
    <>
      <Select
        label={t('app.conditions.comparison')}
        value={row.op}
        options={operatorOptions(row.field, definition, row.op)}
        onChange={(op) => set({ op: op as ConditionRow['op'] })}
      />
      {needsValue(row) && (
        <Field label={t('app.conditions.value')} hideLabel error={showsErrors ? rowError(row) : undefined}>
          {(control) => {
            const props = { row, suggestions, control, set };
            return definition ? <CustomFieldValue {...props} definition={definition} /> : <Value {...props} />;
          }}
        </Field>
      )}
    </>
  );
}

function Row(props: RowProps) {
  const { row, use, definitions, onChange, onRemove } = props;
  const noteId = useId();
  const definition = isCustomFieldName(row.field) ? definitionOf(row.field, definitions) : undefined;
  const isFixed = isCustomFieldName(row.field) && (!definition || definition.deleted_at !== null);
  const choose = (field: string) => {
    const chosen = isCustomFieldName(field) ? definitionOf(field, definitions) : undefined;
    onChange({ ...(chosen ? newCustomFieldRow(chosen) : newRow(field as ConditionField)), id: row.id });
  };
  return (
    <li className="flex items-start gap-2 rounded-md border bg-sunken p-2.5">
      <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[minmax(0,6fr)_minmax(0,5fr)_minmax(0,6fr)]">
        <Select
          label={t('app.conditions.field')}
          aria-describedby={isFixed && definitions ? noteId : undefined}
          value={row.field}
          options={fieldOptions(use, definitions, row.field)}
          onChange={choose}
        />
        {isFixed ? <FixedComparison row={row} definition={definition} /> : <Comparison {...props} definition={definition} />}
        {isFixed && definitions && (
          <p id={noteId} className="flex items-center gap-1 text-xs text-amber-text sm:col-span-full">
            <CircleAlert className="size-3.5 shrink-0" aria-hidden />
            {t('app.conditions.field_no_longer_exists')}
          </p>
        )}
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('app.conditions.remove_condition_on_label', { label: fieldLabel(row.field, definitions) })}
        onClick={onRemove}
      >
        <X aria-hidden />
      </Button>
    </li>
  );
}

const matchOptions = [
  { value: 'none', label: t('app.conditions.every_ticket') },
  { value: 'all', label: t('app.conditions.tickets_that_match_all_conditions') },
  { value: 'any', label: t('app.conditions.tickets_that_match_any_condition') },
];
const noSuggestions: ConditionSuggestions = {};

interface ConditionEditorProps {
  /** Decides which fields there are. */
  use: ConditionUse;
  draft: ConditionDraft;
  showsErrors: boolean;
  suggestions?: ConditionSuggestions;
  /** The label of the choice between all and any; "Tickets" by default. */
  label?: string;
  onChange: (draft: ConditionDraft) => void;
}

/** Which tickets: rows of field, comparison and value. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { use, draft, showsErrors, suggestions = noSuggestions, label = t('app.conditions.tickets'), onChange } = props;
  const { match, rows } = draft;
  const { data: definitions } = useListCustomFieldsQuery();
  const choose = (next: string) =>
    onChange({ match: next as ConditionDraft['match'], rows: next !== 'none' && rows.length === 0 ? [newRow()] : rows });
  return (
    <div className="flex flex-col gap-2">
      <Field label={label}>{(control) => <Select {...control} value={match} options={matchOptions} onChange={choose} />}</Field>
      {match !== 'none' && (
        <>
          <ul aria-label={t('app.conditions.conditions')} className="flex flex-col gap-2">
            {rows.map((row) => (
              <Row
                key={row.id}
                {...{ row, use, definitions, suggestions, showsErrors }}
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
            {t('app.conditions.add_condition')}
          </Button>
        </>
      )}
    </div>
  );
}
