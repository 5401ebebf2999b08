import type { ChangesWithComment } from '@tandem/contracts';
import { useListMembersQuery } from '../../../app/api';
import { TicketTagInput } from '../../../app/TicketTagInput';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { priorityOptions, statusOptions } from '../../../lib/ticket-badges';
import { Field } from '../../../ui/Field';
import { Select, type SelectOption } from '../../../ui/Select';
import { Switch } from '../../../ui/Switch';
import { FieldChanges } from './FieldChanges';

const unchanged = 'unchanged';
const unassigned = 'unassigned';
const asItIs: SelectOption = { value: unchanged, label: t('tickets.macros.dont_change') };

const without = (changes: ChangesWithComment, name: keyof ChangesWithComment): ChangesWithComment =>
  Object.fromEntries(Object.entries(changes).filter(([each]) => each !== name));

interface ChangesEditorProps {
  changes: ChangesWithComment;
  /** Of custom fields, by their keys. */
  problems: Partial<Record<string, string>>;
  onChange: (changes: ChangesWithComment) => void;
}

/** The ticket changes that are made when the reply is used. */
export function ChangesEditor({ changes, problems, onChange }: ChangesEditorProps) {
  const { data: members = [] } = useListMembersQuery();
  const people = members
    .filter(({ is_active, user_id }) => is_active || user_id === changes.assigned_to)
    .map((member) => ({ value: member.user_id, label: nameOf(member) }));
  const set = (name: keyof ChangesWithComment, value: unknown) =>
    onChange(value === unchanged ? without(changes, name) : { ...changes, [name]: value });
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-medium">{t('tickets.macros.changes_to_ticket')}</legend>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label={t('tickets.macros.status')}>
          {(field) => (
            <Select
              {...field}
              value={changes.status ?? unchanged}
              options={[asItIs, ...statusOptions]}
              onChange={(value) => set('status', value)}
            />
          )}
        </Field>
        <Field label={t('tickets.macros.priority')}>
          {(field) => (
            <Select
              {...field}
              value={changes.priority ?? unchanged}
              options={[asItIs, ...priorityOptions]}
              onChange={(value) => set('priority', value)}
            />
          )}
        </Field>
        <Field label={t('tickets.macros.assignee')}>
          {(field) => (
            <Select
              {...field}
              value={changes.assigned_to === undefined ? unchanged : (changes.assigned_to ?? unassigned)}
              options={[asItIs, { value: unassigned, label: t('tickets.macros.unassigned') }, ...people]}
              onChange={(value) => set('assigned_to', value === unassigned ? null : value)}
            />
          )}
        </Field>
      </div>
      <Switch
        label={t('tickets.macros.replace_tags')}
        checked={changes.tags !== undefined}
        onChange={(on) => set('tags', on ? [] : unchanged)}
      />
      {changes.tags && (
        <Field label={t('tickets.macros.tags')} hint={t('tickets.macros.tags_replace_all')}>
          {(field) => <TicketTagInput value={changes.tags ?? []} onChange={(tags) => set('tags', tags)} control={field} />}
        </Field>
      )}
      <FieldChanges
        changes={changes.custom_fields ?? {}}
        problems={problems}
        onChange={(values) => set('custom_fields', Object.keys(values).length > 0 ? values : unchanged)}
      />
    </fieldset>
  );
}
