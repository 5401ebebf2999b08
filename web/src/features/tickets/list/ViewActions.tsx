import type { View } from '@tandem/contracts';
import { BookmarkPlus, Pencil, RotateCcw, Save, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import type { MenuEntry } from '../../../ui/Menu';
import { useFilters } from './use-filters';
import type { ListedView, useViews } from './use-views';
import type { TicketFilters } from './ticket-filters';
import { filtersOfView, useDeleteViewMutation, useUpdateViewMutation, viewFilterOf } from './views.api';

const ViewDialog = lazy(() => import('./ViewDialog').then((module) => ({ default: module.ViewDialog })));

interface DeleteDialogProps {
  view: View | undefined;
  isDeleting: boolean;
  onClose: () => void;
  onDelete: (view: View) => void;
}
function DeleteDialog({ view, isDeleting, onClose, onDelete }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      open={view !== undefined}
      onOpenChange={() => onClose()}
      title={view ? t('tickets.list.delete_name', { name: view.name }) : t('tickets.list.delete_view_button')}
      description={view?.is_shared ? t('tickets.list.what_deleting_shared_view_does') : t('tickets.list.what_deleting_view_does')}
      action={t('tickets.list.delete_view')}
      busy={isDeleting}
      onConfirm={() => view && onDelete(view)}
    />
  );
}

/** The list's filters after a view was saved: a view that shows its own filters shows the saved ones, otherwise only its condition changes. */
function filtersAfter(view: View, filters: TicketFilters, isUnmodified: boolean): TicketFilters {
  const saved = filtersOfView(view);
  if (isUnmodified) return saved;
  const { condition: _, ...others } = filters;
  return { ...others, ...(saved.condition === undefined ? {} : { condition: saved.condition }) };
}

/** The actions on views and their dialogs, which load on demand. */
export function useViewActions(views: ReturnType<typeof useViews>): {
  save: () => void;
  update: (view: View) => void;
  entriesOf: (view: ListedView) => MenuEntry[];
  dialogs: ReactNode;
} {
  const { replace, filters } = useFilters();
  const [edited, setEdited] = useState<View | 'new'>();
  const [deleted, setDeleted] = useState<View>();
  const [updateView] = useUpdateViewMutation();
  const [deleteView, { isLoading }] = useDeleteViewMutation();

  const update = (view: View) =>
    void updateView({ id: view.id, filter: viewFilterOf(filters) }).then(({ error }) => {
      if (error) notify.problem(error, t('tickets.list.failed_to_save_view'));
      else notify.success(t('tickets.list.view_saved'));
    });
  const remove = async (view: View) => {
    const { error } = await deleteView(view.id);
    setDeleted(undefined);
    if (error) return notify.problem(error, t('tickets.list.failed_to_delete_view'));
    notify.success(t('tickets.list.view_deleted'));
    if (views.current?.saved?.id === view.id) replace({});
  };
  const entriesOf = ({ saved, isCurrent, mayChange, filters: original }: ListedView): MenuEntry[] => {
    if (!saved) return [];
    const isModified = isCurrent && views.isModified;
    return [
      ...(isModified ? [{ label: t('tickets.list.reset_filters'), icon: RotateCcw, onSelect: () => replace(original, saved.id) }] : []),
      ...(isModified && mayChange ? [{ label: t('tickets.list.update_view'), icon: Save, onSelect: () => update(saved) }] : []),
      ...(isModified ? [{ label: t('tickets.list.save_as_new_view'), icon: BookmarkPlus, onSelect: () => setEdited('new') }] : []),
      ...(mayChange
        ? [
            { label: t('tickets.list.edit_view'), icon: Pencil, onSelect: () => setEdited(saved) },
            { label: t('tickets.list.delete_view_button'), icon: Trash2, onSelect: () => setDeleted(saved) },
          ]
        : []),
    ];
  };
  const dialogs = (
    <>
      {edited && (
        <Suspense fallback={null}>
          <ViewDialog
            {...(edited === 'new' ? { title: views.saveLabel } : { title: t('tickets.list.edit_view'), view: edited })}
            filters={filters}
            onSaved={(view) =>
              (edited === 'new' || views.current?.saved?.id === view.id) &&
              replace(filtersAfter(view, filters, edited !== 'new' && !views.isModified), view.id)
            }
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
      <DeleteDialog view={deleted} isDeleting={isLoading} onClose={() => setDeleted(undefined)} onDelete={(view) => void remove(view)} />
    </>
  );
  return { save: () => setEdited('new'), update, entriesOf, dialogs };
}
