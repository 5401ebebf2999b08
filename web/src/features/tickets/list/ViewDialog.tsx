import { useState, type FormEvent } from 'react';
import type { View } from '@tandem/contracts';
import { isProblem, messageOf } from '../../../lib/problem';
import { notify } from '../../../lib/notify';
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
    if (fields.name === '') return setError('Enter a name for the view');
    const answer = view
      ? await update({ id: view.id, ...fields })
      : await create({ ...fields, filter: viewFilterOf(filters), key: keyOf(JSON.stringify(fields)) });
    if (answer.error) return setError(isProblem(answer.error) ? messageOf(answer.error, 'Failed to save view') : 'Failed to save view');
    notify.success('View saved');
    onSaved(answer.data);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={view ? 'Edit view' : 'Save as view'}
      description={isLeftOut ? 'The customer and creation date filters aren’t saved in a view.' : undefined}
      className="max-w-md"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="view" variant="primary" busy={creating.isLoading || updating.isLoading}>
            Save View
          </Button>
        </>
      }
    >
      <form id="view" noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4 pt-1">
        <Field label="Name" error={error} required>
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
        <Switch label="Share with everyone in the organization" checked={isShared} onChange={setIsShared} />
      </form>
    </Dialog>
  );
}
