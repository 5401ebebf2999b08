import type { CustomField } from '@tandem/contracts';
import { customFieldLimits } from '@tandem/contracts/values';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { offerUndo } from '../../../lib/undo';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { useFocusAfterRemoval, useStartAtTop } from '../../../app/ordered-list/list-focus';
import {
  isDeleted,
  useDeleteCustomFieldMutation,
  useOrderCustomFieldsMutation,
  useRestoreCustomFieldMutation,
} from './custom-field-settings.api';
import { blankField } from './field-form';
import { suggestions } from './field-labels';
import { DeletedFields, FieldList } from './FieldList';
import { FieldPage, NewFieldPage } from './FieldPage';
import { fieldAddress, listAddress, useFieldsAddress } from './use-fields-address';

const unknownField = (
  <EmptyState
    icon={SearchX}
    title={t('settings.fields.this_field_doesnt_exist')}
    action={
      <Button asChild>
        <Link to={listAddress}>{t('settings.fields.all_fields')}</Link>
      </Button>
    }
  >
    {t('settings.fields.it_may_have_been_deleted')}
  </EmptyState>
);

/** Deletes a field with an offer to undo, which restores it at its place. */
function useFieldRemoval(inUse: readonly CustomField[]) {
  const [remove] = useDeleteCustomFieldMutation();
  const [restore] = useRestoreCustomFieldMutation();
  const [reorder] = useOrderCustomFieldsMutation();
  return async ({ id, label }: CustomField) => {
    const before = inUse.map((field) => field.id);
    const undo = async () => {
      const { error } = await restore(id);
      if (error) return notify.problem(error, t('settings.fields.couldnt_restore_field'));
      // If this fails, the field is the last one.
      if (before.at(-1) !== id) await reorder(before);
    };
    const { error } = await remove(id);
    if (error) return notify.problem(error, t('settings.fields.couldnt_delete_field'));
    offerUndo(t('settings.fields.field_deleted'), label, () => void undo());
  };
}

interface ContentProps {
  all: CustomField[];
  inUse: CustomField[];
  onDelete: (field: CustomField) => void;
}
function Content({ all, inUse, onDelete }: ContentProps) {
  const { open, suggestion } = useFieldsAddress();
  const deleted = all.filter(isDeleted);
  if (!open)
    return (
      <div className="flex flex-col gap-5">
        <FieldList fields={inUse} onDelete={onDelete} />
        {deleted.length > 0 && <DeletedFields fields={deleted} />}
      </div>
    );
  if (open === 'new') {
    const formKey = `new ${suggestion ?? ''}`;
    const initial = suggestion ? suggestions[suggestion].field : blankField;
    return <NewFieldPage key={formKey} formKey={formKey} initial={initial} takenKeys={all.map(({ key }) => key)} />;
  }
  const field = inUse.find(({ id }) => id === open);
  return field ? <FieldPage key={field.id} field={field} onDelete={() => onDelete(field)} /> : unknownField;
}

/** Asks before a field is deleted: other parts of the organization use it. */
function useDeleteDialog(inUse: readonly CustomField[]) {
  const navigate = useNavigate();
  const remove = useFieldRemoval(inUse);
  const [isOpen, setIsOpen] = useState(false);
  const [field, setField] = useState<CustomField>();
  const dialog = (
    <ConfirmDialog
      open={isOpen}
      onOpenChange={setIsOpen}
      title={t('settings.fields.delete_name', { name: field?.label ?? '' })}
      description={t('settings.fields.about_deleting', { days: customFieldLimits.daysToRestore })}
      action={t('settings.fields.delete_field')}
      onConfirm={() => {
        setIsOpen(false);
        if (field) void remove(field);
        void navigate(listAddress);
      }}
    />
  );
  const ask = (wanted: CustomField) => {
    setField(wanted);
    setIsOpen(true);
  };
  return { dialog, ask };
}

/** The custom fields of the organization: their list, and the page of one field. */
export function FieldsPanel() {
  const { data: all, error, isFetching, refetch } = useListCustomFieldsQuery(undefined, { refetchOnMountOrArgChange: true });
  const inUse = all?.filter((field) => !isDeleted(field)) ?? [];
  const { dialog, ask } = useDeleteDialog(inUse);
  const panel = useStartAtTop(useFieldsAddress().open, fieldAddress);
  useFocusAfterRemoval(
    panel,
    inUse.map(({ id }) => id),
  );
  if (!all && error)
    return (
      <ErrorNote
        title={t('settings.fields.couldnt_load_fields')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  if (!all)
    return (
      <Card>
        <Skeletons blocks={['h-16', 'h-16', 'h-16']} />
      </Card>
    );
  return (
    <div ref={panel} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Content all={all} inUse={inUse} onDelete={ask} />
      {dialog}
    </div>
  );
}
