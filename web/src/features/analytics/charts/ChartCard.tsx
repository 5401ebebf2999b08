import type { MetricName } from '@tandem/contracts/values';
import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react';
import { lazy, Suspense, useId, useState, type ReactNode } from 'react';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { HowCounted } from '../HowCounted';
import type { ChartData } from './ChartTable';

const ChartTable = lazy(() => import('./ChartTable').then((module) => ({ default: module.ChartTable })));

interface ChartCardProps {
  title: string;
  metric?: MetricName;
  /** The chart in one sentence. */
  summary: string;
  /** The chart's data, computed only when the user opens the table or downloads the CSV file. */
  data: () => ChartData;
  /** The data that the chart does not include. */
  note?: string | undefined;
  children: (labels: { title: string; summary: string }) => ReactNode;
}

const fileName = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function Actions({ title, data, isTable, onToggle }: { title: string; data: () => ChartData; isTable: boolean; onToggle: () => void }) {
  const save = async () => {
    const { downloadCsv } = await import('./csv');
    const { columns, rows } = data();
    downloadCsv(fileName(title), [columns, ...rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell.value)])]);
  };
  return (
    <div className="-mr-1.5 flex print:hidden">
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={`${isTable ? 'Show as chart' : 'Show as table'}: ${title}`}
        title={isTable ? 'Show as chart' : 'Show as table'}
        onClick={onToggle}
      >
        {isTable ? <ChartNoAxesColumn aria-hidden /> : <Table2 aria-hidden />}
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label={`Download CSV: ${title}`} title="Download CSV" onClick={() => void save()}>
        <Download aria-hidden />
      </Button>
    </div>
  );
}

/** A chart with its name, a summary in words, its definition, its data as a table and as a CSV file. */
export function ChartCard({ title, metric, summary, data, note, children }: ChartCardProps) {
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <Card aria-labelledby={id} className="flex min-w-0 flex-col break-inside-avoid">
      <header className="flex items-start justify-between gap-3 px-4 pt-3">
        <div className="min-w-0">
          <div className="flex items-center gap-1">
            <h2 id={id} className="text-sm font-semibold">
              {title}
            </h2>
            {metric && <HowCounted metric={metric} />}
          </div>
          <p className="tabular mt-0.5 text-pretty text-muted">{summary}</p>
        </div>
        <Actions title={title} data={data} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
      </header>
      <div className="min-w-0 flex-1 px-4 pt-3 pb-4">
        <Suspense fallback={null}>{isTable ? <ChartTable title={title} data={data()} /> : children({ title, summary })}</Suspense>
        {note && <p className="mt-2 text-xs text-pretty text-muted">{note}</p>}
      </div>
    </Card>
  );
}
