import type { ReactNode } from 'react';

/** Next to the cell under the pointer, on the side with more space. Its text is also the name of the cell's link. */
export function Tooltip({ x, y, width, children }: { x: number; y: number; width: number; children: ReactNode }) {
  const side = x < width / 2 ? { left: x + 10 } : { right: width - x + 10 };
  return (
    <div
      aria-hidden
      style={{ ...side, top: y }}
      className="tabular pointer-events-none absolute z-10 w-max max-w-48 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs shadow-overlay print:hidden"
    >
      {children}
    </div>
  );
}
