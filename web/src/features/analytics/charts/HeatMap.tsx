import { hourOfDayText, shortWeekdayNames, weekdayNames } from '../../../lib/metric-format';
import { t } from '../../../lib/staff-texts';
import { tickText } from './axis';
import { Plot, type PlotCell } from './Plot';
import { linearScale } from './scale';
import { useWidth } from './use-width';

const left = 34;
const rowHeight = 24;
const axisHeight = 20;
const height = weekdayNames.length * rowHeight + axisHeight;

interface HeatMapProps {
  /** By weekday and hour. */
  counts: number[][];
  linkOf: (weekday: number, hour: number) => string;
  title: string;
  summary: string;
}

interface DrawingProps {
  counts: number[][];
  cells: PlotCell[][];
  step: number;
  shown: PlotCell | undefined;
}
function Drawing({ counts, cells, step, shown }: DrawingProps) {
  const most = Math.max(1, ...counts.flat());
  // The side of a square is the square root of its area.
  const side = linearScale(1, [0, Math.max(Math.min(step, rowHeight) - 3, 1)]);
  return cells.flatMap((row, weekday) =>
    row.map((cell, hour) => {
      const size = side(Math.sqrt((counts[weekday]?.[hour] ?? 0) / most));
      const fill = shown === cell ? 'var(--line-strong)' : 'var(--sunken)';
      return (
        <g key={cell.label}>
          <rect x={cell.x + 1} y={cell.y + 1} width={Math.max(step - 2, 0)} height={rowHeight - 2} rx={2} fill={fill} />
          <rect
            x={cell.x + (step - size) / 2}
            y={cell.y + (rowHeight - size) / 2}
            width={size}
            height={size}
            rx={1.5}
            fill="var(--accent)"
          />
        </g>
      );
    }),
  );
}

const Names = ({ step }: { step: number }) => (
  <>
    {shortWeekdayNames.map((day, row) => (
      <text key={day} x={0} y={row * rowHeight + rowHeight / 2 + 4} {...tickText}>
        {day}
      </text>
    ))}
    {[0, 6, 12, 18].map((hour) => (
      <text key={hour} x={left + hour * step + 1} y={height - 5} {...tickText}>
        {hourOfDayText(hour)}
      </text>
    ))}
  </>
);

/** A square per hour of the week. Its area is proportional to the number of tickets, so that it is readable without color. */
export function HeatMap({ counts, linkOf, title, summary }: HeatMapProps) {
  const [measure, { width }] = useWidth();
  const step = (width - left) / 24;
  const cells: PlotCell[][] = counts.map((hours, row) =>
    hours.map((count, hour) => ({
      x: left + hour * step,
      y: row * rowHeight,
      width: step,
      height: rowHeight,
      label: t('analytics.charts.tickets_at_hour', { weekday: weekdayNames[row] ?? '', hour: hourOfDayText(hour), count }),
      to: linkOf(row, hour),
    })),
  );
  return (
    <div ref={measure} style={{ minHeight: height }}>
      {width > 0 && (
        <Plot
          width={width}
          height={height}
          title={title}
          summary={summary}
          cells={cells}
          tooltip={(row, column) => cells[row]?.[column]?.label}
        >
          {(shown) => (
            <>
              <Names step={step} />
              <Drawing counts={counts} cells={cells} step={step} shown={shown} />
            </>
          )}
        </Plot>
      )}
    </div>
  );
}
