import { Link } from 'react-router-dom';
import { countText } from '../../../lib/metric-format';
import { metricLink } from '../metric-link';
import { useCells } from './use-cells';

export interface ChartCell {
  value: number | string | null;
  /** The value as text, if it is not a count. */
  text?: string;
  /** The tickets that it counts. */
  to?: string | undefined;
}
export interface ChartData {
  /** The heading of the names first. */
  columns: string[];
  rows: { name: string; cells: ChartCell[] }[];
}

const textOf = ({ value, text }: ChartCell): string => text ?? (typeof value === 'number' ? countText(value) : (value ?? '—'));

/** A chart's data as a table. Counts link to their tickets, and the arrow keys move between them. */
export function ChartTable({ title, data: { columns, rows } }: { title: string; data: ChartData }) {
  const { box, cell: linkProps } = useCells(rows.length, columns.length - 1);
  return (
    <div {...box} className="max-h-96 overflow-auto rounded-md border print:max-h-none print:overflow-visible">
      <table aria-label={title} className="tabular w-full text-left">
        <thead className="sticky top-0 bg-sunken text-xs text-muted">
          <tr>
            {columns.map((column, index) => (
              <th key={column} scope="col" className={`px-3 py-1.5 font-medium whitespace-nowrap ${index > 0 ? 'text-right' : ''}`}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y">
          {rows.map(({ name, cells }, row) => (
            <tr key={row}>
              <th scope="row" dir="auto" className="px-3 py-1.5 text-left font-normal wrap-anywhere">
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={index} className="px-3 py-1.5 text-right">
                  {cell.to ? (
                    <Link {...linkProps(row, index)} to={cell.to} className={metricLink}>
                      {textOf(cell)}
                    </Link>
                  ) : (
                    textOf(cell)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
