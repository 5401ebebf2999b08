import { useRef, useState, type KeyboardEvent } from 'react';

interface Place {
  row: number;
  column: number;
}
const steps: Record<string, (at: Place) => Place> = {
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }) => ({ row, column: Infinity }),
};

/**
 * The cells of a chart as one tab stop: the arrow keys move the focus between them, and the tooltip follows the focus or the pointer.
 * Escape hides it.
 */
export function useCells(rows: number, columns: number, first: Place = { row: 0, column: 0 }) {
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(first);
  const [shown, setShown] = useState<Place>();
  const within = ({ row, column }: Place): Place => ({
    row: Math.max(0, Math.min(row, rows - 1)),
    column: Math.max(0, Math.min(column, columns - 1)),
  });
  const at = within(place);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setShown(undefined);
    const step = steps[event.key];
    // The cell itself: new figures may have moved it since it received the focus. Buttons in the chart are not cells.
    const focused = (event.target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell?.split('-').map(Number);
    if (!step || !focused || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const { row, column } = within(step({ row: focused[0] ?? 0, column: focused[1] ?? 0 }));
    box.current?.querySelector<HTMLElement>(`[data-cell="${row}-${column}"]`)?.focus();
  };
  const cell = (row: number, column: number) => ({
    'data-cell': `${row}-${column}`,
    tabIndex: row === at.row && column === at.column ? 0 : -1,
    onFocus: () => {
      setPlace({ row, column });
      setShown({ row, column });
    },
    onBlur: () => setShown(undefined),
    onPointerEnter: () => setShown({ row, column }),
    onPointerLeave: () => setShown(undefined),
  });
  return { box: { ref: box, onKeyDown }, cell, shown: shown && within(shown) };
}
