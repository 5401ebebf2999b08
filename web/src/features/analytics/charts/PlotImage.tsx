import type { ReactNode } from 'react';

/** A drawing, which is one image to screen readers. */
export function PlotImage({ width, height, label, children }: { width: number; height: number; label: string; children: ReactNode }) {
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className="block [print-color-adjust:exact] print:h-auto print:w-full"
    >
      {children}
    </svg>
  );
}
