import { useState, type FormEvent } from 'react';
import type { View } from '@tandem/contracts';
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
  /** The view to rename or share. Without it, the dialog creates one from the filters. */
  view?: View;
  filters: TicketFilters;
  onSaved: (view: View) => void;
  onClose: () => void;
}

/** The limit in the contract (`CreateView`). */
const longestName = 60;

/** Edits the name and the sharing of a new or existing view. */
export function ViewDialog({ view, filters, onSaved, onClose }: ViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '');
  const [isShared, setIsShared] = useState(view?.is_shared ?? false);
  const [error, setError] = useState<string>();
  const [keyOf] = useState(keyPerText);
  const [create, creating] = useCreateViewMutation();
  const [update, updating] = useUpdateViewMutation();
  const isLeftOut = !view && Boolean(filters.customer_email ?? filters.created_from ?? filters.created_to);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const fields = { name: name.trim(), is_shared: isShared };
    if (fields.name === '') return setError(t('tickets.list.enter_name_for_view'));
    const answer = view
      ? await update({ id: view.id, ...fields })
      : await create({ ...fields, filter: viewFilterOf(filters), key: keyOf(JSON.stringify(fields)) });
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
      title={view ? t('tickets.list.edit_view') : t('tickets.list.save_as_view')}
      description={isLeftOut ? t('tickets.list.filters_that_views_dont_save') : undefined}
      className="max-w-md"
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
        <Field label={t('tickets.list.name')} error={error} required>
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              maxLength={longestName}
              value={name}
              onChange={(event) => {
                setName(event.target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
        <Switch label={t('tickets.list.share_with_everyone_in_organization')} checked={isShared} onChange={setIsShared} />
      </form>
    </Dialog>
  );
}
