import { Download } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { downloadCsv } from '../../lib/csv';

interface HelpTableProps {
  title: string;
  summary: string;
  /** The heading of the names first. */
  columns: string[];
  rows: { key: string; name: ReactNode; cells: string[]; csv: (string | number | null)[]; action?: ReactNode }[];
}

/** A table of texts that readers see or entered, with its CSV file. */
export function HelpTable({ title, summary, columns, rows }: HelpTableProps) {
  const id = useId();
  const save = () => downloadCsv(title.toLowerCase().replaceAll(' ', '-'), [columns, ...rows.map(({ csv }) => csv)]);
  return (
    <Card aria-labelledby={id} className="min-w-0">
      <header className="flex items-start justify-between gap-3 px-4 pt-3 pb-2">
        <div>
          <h3 id={id} className="text-sm font-semibold">
            {title}
          </h3>
          <p className="mt-0.5 text-muted">{summary}</p>
        </div>
        {rows.length > 0 && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('analytics.charts.download_csv_of_title', { title })}
            title={t('analytics.charts.download_csv')}
            onClick={save}
            className="-mr-1.5 print:hidden"
          >
            <Download aria-hidden />
          </Button>
        )}
      </header>
      {rows.length > 0 && (
        // Focusable, so that the arrow keys scroll it.
        <div
          role="group"
          tabIndex={0}
          aria-labelledby={id}
          className="max-h-96 overflow-auto border-t print:max-h-none print:overflow-visible"
        >
          <Rows id={id} columns={columns} rows={rows} />
        </div>
      )}
    </Card>
  );
}

function Rows({ id, columns, rows }: Pick<HelpTableProps, 'columns' | 'rows'> & { id: string }) {
  const hasActions = rows.some(({ action }) => action !== undefined);
  return (
    <table aria-labelledby={id} className="tabular w-full text-left">
      <thead className="sticky top-0 bg-sunken text-xs text-muted">
        <tr>
          {columns.map((column, index) => (
            <th key={column} scope="col" className={`px-3 py-1.5 font-medium ${index > 0 ? 'text-right' : ''}`}>
              {column}
            </th>
          ))}
          {hasActions && <td className="print:hidden" />}
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map(({ key, name, cells, action }) => (
          <tr key={key} className="break-inside-avoid">
            <th scope="row" dir="auto" className="min-w-36 px-3 py-2 text-left font-normal wrap-anywhere">
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={index} className="px-3 py-2 text-right whitespace-nowrap">
                {cell}
              </td>
            ))}
            {hasActions && <td className="px-2 py-1 text-right whitespace-nowrap print:hidden">{action}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
