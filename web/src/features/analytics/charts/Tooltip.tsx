import type { ReactNode } from 'react';

interface TooltipProps {
  /** The center of the cell under the pointer. */
  x: number;
  y: number;
  /** The size of the chart. */
  width: number;
  height: number;
  children: ReactNode;
}

/**
 * Next to the cell under the pointer, where the chart has more space, so that a chart that scrolls does not cut it off. Its text is also the
 * name of the cell's link.
 */
export function Tooltip({ x, y, width, height, children }: TooltipProps) {
  const side = x < width / 2 ? { left: x + 10 } : { right: width - x + 10 };
  const edge = y < height / 2 ? { top: 4 } : { bottom: 4 };
  return (
    <div
      aria-hidden
      style={{ ...side, ...edge }}
      className="tabular pointer-events-none absolute z-10 w-max max-w-48 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs shadow-overlay print:hidden"
    >
      {children}
    </div>
  );
}
