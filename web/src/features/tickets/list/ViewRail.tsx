import { BookmarkPlus, ChevronDown, Ellipsis, Layers, PanelLeftClose, Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Menu, type MenuEntry } from '../../../ui/Menu';
import { paramsOf } from './ticket-filters';
import { addressSearch } from './ticket-query';
import { useViewActions } from './ViewActions';
import { useViews, type ListedView } from './use-views';

const addressOf = ({ filters, saved }: ListedView): string => {
  const params = paramsOf(filters);
  if (saved) params.set('view', saved.id);
  return `/tickets${addressSearch(params)}`;
};

function ViewLink({ view, isModified, entries }: { view: ListedView; isModified: boolean; entries: MenuEntry[] }) {
  return (
    <li className="group/view relative flex items-center">
      <Link
        to={addressOf(view)}
        aria-current={view.isCurrent ? 'page' : undefined}
        className={cn(
          'flex h-8 min-w-0 flex-1 items-center gap-1.5 rounded-md px-2.5 transition-colors',
          view.isCurrent ? 'bg-hover font-medium text-ink' : 'text-muted hover:bg-hover hover:text-ink',
        )}
      >
        <span className="truncate">{view.name}</span>
        {view.saved?.is_shared && (
          <>
            <Users className="size-3 shrink-0 text-faint" aria-hidden />
            <span className="sr-only">{t('tickets.list.shared')}</span>
          </>
        )}
        {isModified && (
          <span className="shrink-0 rounded-xs bg-amber-soft px-1 text-2xs font-normal text-amber-text">{t('tickets.list.modified')}</span>
        )}
        <span
          className={cn(
            'tabular ml-auto pl-1 text-xs font-normal text-faint',
            entries.length > 0 && 'group-focus-within/view:invisible group-hover/view:invisible touch:mr-8',
          )}
        >
          {view.count}
        </span>
      </Link>
      {entries.length > 0 && (
        <span className="absolute right-0.5 opacity-0 group-focus-within/view:opacity-100 group-hover/view:opacity-100 touch:opacity-100">
          <Menu
            trigger={
              <Button variant="ghost" size="icon-sm" aria-label={t('tickets.list.actions_for_view_name', { name: view.name })}>
                <Ellipsis aria-hidden />
              </Button>
            }
            entries={entries}
          />
        </span>
      )}
    </li>
  );
}

/** The views in a column next to the list, each with its count. */
export function ViewRail({ onCollapse }: { onCollapse: () => void }) {
  const views = useViews();
  const { save, entriesOf, dialogs } = useViewActions(views);
  const link = (view: ListedView) => (
    <ViewLink key={view.key} view={view} isModified={view.isCurrent && views.isModified} entries={entriesOf(view)} />
  );
  return (
    <nav aria-label={t('tickets.list.views')} className="flex w-58 shrink-0 flex-col overflow-y-auto border-r bg-canvas p-2">
      <div className="mb-1 flex h-7 items-center justify-between pl-2.5">
        <p className="text-xs font-medium text-muted">{t('tickets.list.views')}</p>
        <Button variant="ghost" size="icon-sm" aria-label={t('tickets.list.hide_views')} onClick={onCollapse}>
          <PanelLeftClose aria-hidden />
        </Button>
      </div>
      <ul className="flex flex-col gap-px">{views.builtIn.map(link)}</ul>
      {views.saved.length > 0 && <ul className="mt-3 flex flex-col gap-px border-t pt-3">{views.saved.map(link)}</ul>}
      {views.canSave && (
        <Button variant="ghost" size="sm" onClick={save} className="mt-3 justify-start">
          <BookmarkPlus aria-hidden />
          {views.saveLabel}
        </Button>
      )}
      {dialogs}
    </nav>
  );
}

/** The views as a menu, when there is no space for a column or it is hidden. `isIcon`: next to an open ticket there is no space for a name. */
export function ViewMenu({ onExpand, isIcon = false }: { onExpand?: () => void; isIcon?: boolean }) {
  const views = useViews();
  const { save, entriesOf, dialogs } = useViewActions(views);
  const { current, isModified } = views;
  const choice = (view: ListedView) => ({
    label: view.count === undefined ? view.name : `${view.name} (${view.count})`,
    checked: view.isCurrent,
    onSelect: () => views.choose(view),
  });
  const actions = current ? entriesOf(current) : [];
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            title={isIcon ? (current?.name ?? t('tickets.list.custom_view')) : undefined}
            className="flex h-7 max-w-60 min-w-0 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 text-xs font-medium hover:bg-hover touch:h-9"
          >
            {isIcon && <Layers className="size-3.5 shrink-0 text-muted" aria-hidden />}
            <span className="sr-only">{t('tickets.list.view')} </span>
            <span className={isIcon ? 'sr-only' : 'truncate'}>{current?.name ?? t('tickets.list.custom_view')}</span>
            {isModified && !isIcon && (
              <span className="rounded-xs bg-amber-soft px-1 text-2xs font-normal text-amber-text">{t('tickets.list.modified')}</span>
            )}
            {!isIcon && <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />}
          </button>
        }
        entries={[
          ...views.builtIn.map(choice),
          ...(views.saved.length > 0 ? ['separator' as const, ...views.saved.map(choice)] : []),
          ...(actions.length > 0 ? ['separator' as const, ...actions] : []),
          ...(views.canSave ? ['separator' as const, { label: views.saveLabel, icon: BookmarkPlus, onSelect: save }] : []),
          ...(onExpand ? ['separator' as const, { label: t('tickets.list.show_views_next_to_list'), onSelect: onExpand }] : []),
        ]}
      />
      {dialogs}
    </>
  );
}
