import { GripVertical } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import { useSortable } from '../../ui/use-sortable';
import { useOrder, type OrderOptions } from './use-order';

interface DragHandleProps {
  name: string;
  hintId: string;
  /** From `useSortable`. */
  handle: ReturnType<ReturnType<typeof useSortable>['handleProps']>;
}

export const DragHandle = ({ name, hintId, handle }: DragHandleProps) => (
  <button
    type="button"
    aria-label={t('settings.move_name', { name })}
    aria-describedby={hintId}
    className="-my-1 grid h-8 w-6 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink active:cursor-grabbing touch:h-10 touch:w-8"
    {...handle}
  >
    <GripVertical className="size-4" aria-hidden />
  </button>
);

interface OrderedListProps<Item> extends OrderOptions<Item> {
  label: string;
  /** How to move an item, for screen readers. */
  hint: string;
  items: Item[];
  canMove?: boolean;
  /** The content of a row. `moveBy` is for its menu. */
  children: (item: Item, moveBy: (by: number) => void) => ReactNode;
}

/** A numbered list whose rows are moved by dragging, by the arrow keys on their handles, and by their menus. */
export function OrderedList<Item extends { id: string }>(props: OrderedListProps<Item>) {
  const { label, hint, items, canMove = true, nameOf, children } = props;
  const hintId = useId();
  const { shown, ids, move } = useOrder(items, props);
  const { list, styleOf, handleProps, draggedId } = useSortable(ids, move);
  return (
    <>
      <p id={hintId} className="sr-only">
        {hint}
      </p>
      <ol ref={list} aria-label={label}>
        {shown.map((item, index) => (
          <li
            key={item.id}
            style={styleOf(item.id)}
            className={cn(
              'relative flex items-start gap-2 border-b bg-surface py-3 pr-3 pl-1.5 last:rounded-b-lg last:border-b-0 sm:pr-4',
              item.id === draggedId && 'rounded-lg border-b-0 shadow-overlay ring-1 ring-line-strong',
              !canMove && 'pl-4',
            )}
          >
            {canMove && <DragHandle name={nameOf(item)} hintId={hintId} handle={handleProps(item.id)} />}
            <span aria-hidden className="min-w-4 shrink-0 text-right whitespace-nowrap text-muted tabular sm:min-w-6">
              {index + 1}
            </span>
            {children(item, (by) => move(item.id, index + by))}
          </li>
        ))}
      </ol>
    </>
  );
}
