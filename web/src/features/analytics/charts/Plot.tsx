import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { PlotImage } from './PlotImage';
import { Tooltip } from './Tooltip';
import { useCells } from './use-cells';

/** One bar, point or cell of a chart: its place in pixels, its name, and its tickets. */
export interface PlotCell {
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  to: string;
}
interface PlotProps {
  width: number;
  height: number;
  title: string;
  summary: string;
  /** The cells in rows, for the arrow keys. */
  cells: PlotCell[][];
  /** The tooltip of a cell. */
  tooltip: (row: number, column: number) => ReactNode;
  /** Where Tab enters the chart. */
  first?: { row: number; column: number };
  /** The drawing, with the cell under the pointer. */
  children: (shown: PlotCell | undefined) => ReactNode;
}

/** A drawing with a link over each of its cells. The drawing is one image to screen readers, and the links are one tab stop. */
export function Plot({ width, height, title, summary, cells, tooltip, first, children }: PlotProps) {
  const { box, cell, shown } = useCells(cells.length, cells[0]?.length ?? 0, first);
  const at = shown && cells[shown.row]?.[shown.column];
  return (
    <div {...box} role="group" aria-label={title} className="relative print:h-auto! print:w-full!" style={{ width, height }}>
      <PlotImage width={width} height={height} label={`${title}. ${summary}`}>
        {children(at)}
      </PlotImage>
      {cells.map((row, rowIndex) =>
        row.map(({ x, y, width: wide, height: high, label, to }, index) => (
          <Link
            key={`${rowIndex}-${index}`}
            {...cell(rowIndex, index)}
            to={to}
            aria-label={label}
            className="absolute rounded-xs -outline-offset-1 print:hidden"
            style={{ left: x, top: y, width: wide, height: high }}
          />
        )),
      )}
      {shown && at && (
        <Tooltip x={at.x + at.width / 2} y={at.y + at.height / 2} width={width} height={height}>
          {tooltip(shown.row, shown.column)}
        </Tooltip>
      )}
    </div>
  );
}
