import type { View } from '@tandem/contracts';
import { BookmarkPlus, Pencil, RotateCcw, Save, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { notify } from '../../../lib/notify';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import type { MenuEntry } from '../../../ui/Menu';
import { useFilters } from './use-filters';
import type { ListedView, useViews } from './use-views';
import { useDeleteViewMutation, useUpdateViewMutation, viewFilterOf } from './views.api';

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
      title={`Delete ${view?.name ?? 'view'}`}
      description={
        view?.is_shared ? 'It disappears for everyone who uses it. Its tickets stay.' : 'Only the view is deleted. Its tickets stay.'
      }
      action="Delete View"
      busy={isDeleting}
      onConfirm={() => view && onDelete(view)}
    />
  );
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
      if (error) notify.problem(error, 'Failed to save view');
      else notify.success('View saved');
    });
  const remove = async (view: View) => {
    const { error } = await deleteView(view.id);
    setDeleted(undefined);
    if (error) return notify.problem(error, 'Failed to delete view');
    notify.success('View deleted');
    if (views.current?.saved?.id === view.id) replace({});
  };
  const entriesOf = ({ saved, isCurrent, mayChange, filters: original }: ListedView): MenuEntry[] => {
    if (!saved) return [];
    const isModified = isCurrent && views.isModified;
    return [
      ...(isModified ? [{ label: 'Reset filters', icon: RotateCcw, onSelect: () => replace(original, saved.id) }] : []),
      ...(isModified && mayChange ? [{ label: 'Update view', icon: Save, onSelect: () => update(saved) }] : []),
      ...(isModified ? [{ label: 'Save as new view', icon: BookmarkPlus, onSelect: () => setEdited('new') }] : []),
      ...(mayChange
        ? [
            { label: 'Edit view', icon: Pencil, onSelect: () => setEdited(saved) },
            { label: 'Delete view', icon: Trash2, onSelect: () => setDeleted(saved) },
          ]
        : []),
    ];
  };
  const dialogs = (
    <>
      {edited && (
        <Suspense fallback={null}>
          <ViewDialog
            {...(edited === 'new' ? {} : { view: edited })}
            filters={filters}
            onSaved={(view) => edited === 'new' && replace(filters, view.id)}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
      <DeleteDialog view={deleted} isDeleting={isLoading} onClose={() => setDeleted(undefined)} onDelete={(view) => void remove(view)} />
    </>
  );
  return { save: () => setEdited('new'), update, entriesOf, dialogs };
}
