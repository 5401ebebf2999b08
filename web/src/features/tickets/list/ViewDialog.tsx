import { useState, type FormEvent } from 'react';
import type { View, ViewFilter } from '@tandem/contracts';
import { conditionFrom, draftFrom, hasErrors, type ConditionDraft } from '../../../app/conditions/condition-form';
import { ConditionEditor } from '../../../app/conditions/ConditionEditor';
import { isProblem, messageOf } from '../../../lib/problem';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Switch } from '../../../ui/Switch';
import type { TicketFilters } from './ticket-filters';
import { useCreateViewMutation, useUpdateViewMutation, viewFilterOf } from './views.api';

interface ViewDialogProps {
  title: string;
  /** The view to change. Without it, the dialog creates one from the filters. */
  view?: View;
  filters: TicketFilters;
  onSaved: (view: View) => void;
  onClose: () => void;
}

/** The limit in the contract (`CreateView`). */
const longestName = 60;

/** A filter with the condition of the draft. A draft of null leaves a condition that the editor does not show. */
function withCondition({ condition, ...filter }: ViewFilter, draft: ConditionDraft | null): ViewFilter {
  const next = draft ? conditionFrom(draft, 'view') : condition;
  return { ...filter, ...(next ? { condition: next } : {}) };
}

interface ConditionsProps {
  draft: ConditionDraft | null;
  showsErrors: boolean;
  onChange: (draft: ConditionDraft) => void;
}
const Conditions = ({ draft, ...props }: ConditionsProps) =>
  draft ? (
    <ConditionEditor use="view" draft={draft} {...props} />
  ) : (
    <p className="text-muted">{t('tickets.list.view_has_nested_conditions')}</p>
  );

const NameField = ({ name, error, onChange }: { name: string; error: string | undefined; onChange: (name: string) => void }) => (
  <Field label={t('tickets.list.name')} error={error} required>
    {(control) => (
      <Input
        {...control}
        autoFocus
        autoComplete="off"
        maxLength={longestName}
        value={name}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

/** The name, the conditions and the sharing of a view. */
function useViewDraft(view: View | undefined, filters: TicketFilters) {
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setIsShared] = useState(view?.is_shared ?? false);
  const filter = view?.filter ?? viewFilterOf(filters);
  const [condition, setCondition] = useState(() => draftFrom(filter.condition ?? null));
  return { name, setName, isShared, setIsShared, condition, setCondition, filter: withCondition(filter, condition) };
}

/** Edits the name, the conditions and the sharing of a new or existing view. */
export function ViewDialog({ title, view, filters, onSaved, onClose }: ViewDialogProps) {
  const { name, setName, isShared, setIsShared, condition, setCondition, filter } = useViewDraft(view, filters);
  const [error, setError] = useState<string>();
  const [showsErrors, setShowsErrors] = useState(false);
  const [keyOf] = useState(keyPerText);
  const [create, creating] = useCreateViewMutation();
  const [update, updating] = useUpdateViewMutation();
  const isLeftOut = !view && Boolean(filters.customer_email ?? filters.created_from ?? filters.created_to);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const fields = { name: name.trim(), is_shared: isShared };
    setShowsErrors(true);
    if (fields.name === '') return setError(t('tickets.list.enter_name_for_view'));
    if (condition && hasErrors(condition)) return;
    const answer = view
      ? await update({ id: view.id, ...fields, ...(condition ? { filter } : {}) })
      : await create({ ...fields, filter, key: keyOf(JSON.stringify({ ...fields, filter })) });
    if (answer.error)
      return setError(
        isProblem(answer.error) ? messageOf(answer.error, t('tickets.list.failed_to_save_view')) : t('tickets.list.failed_to_save_view'),
      );
    notify.success(t('tickets.list.view_saved'));
    onSaved(answer.data);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={isLeftOut ? t('tickets.list.filters_that_views_dont_save') : undefined}
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>{t('tickets.list.cancel')}</Button>
          <Button type="submit" form="view" variant="primary" busy={creating.isLoading || updating.isLoading}>
            {t('tickets.list.save_view')}
          </Button>
        </>
      }
    >
      <form id="view" noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4 pt-1">
        <NameField
          name={name}
          error={error}
          onChange={(typed) => {
            setName(typed);
            setError(undefined);
          }}
        />
        <Conditions draft={condition} showsErrors={showsErrors} onChange={setCondition} />
        <Switch label={t('tickets.list.share_with_everyone_in_organization')} checked={isShared} onChange={setIsShared} />
      </form>
    </Dialog>
  );
}
