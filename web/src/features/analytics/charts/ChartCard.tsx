import type { MetricName } from '@tandem/contracts/values';
import { lazy, Suspense, useId, useState, type ReactNode } from 'react';
import { Card } from '../../../ui/Card';
import { HowCounted } from '../HowCounted';
import type { ChartData } from './ChartTable';

// Loaded together with the page, and rendered after its first screen.
const chartActions = import('./ChartActions');
const ChartActions = lazy(() => chartActions.then((module) => ({ default: module.ChartActions })));
const ChartTable = lazy(() => import('./ChartTable').then((module) => ({ default: module.ChartTable })));

interface ChartCardProps {
  title: string;
  /** What its definition is called; undefined if it needs none. */
  metric?: MetricName;
  /** The chart in one sentence. */
  summary: string;
  /** The chart's data, computed only when the user opens the table or downloads the CSV file. Undefined until it has loaded. */
  data: (() => ChartData) | undefined;
  /** What the user chooses to see in the chart. */
  controls?: ReactNode;
  children: (labels: { title: string; summary: string }) => ReactNode;
}

/** A chart with its name, a summary in words, its definition, its data as a table and as a CSV file. */
export function ChartCard({ title, metric, summary, data, controls, children }: ChartCardProps) {
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
        <div className="-mr-1.5 h-7 w-14 shrink-0 touch:h-9 touch:w-18 print:hidden">
          {data && (
            <Suspense fallback={null}>
              <ChartActions title={title} data={data} isTable={isTable} onToggle={() => setIsTable(!isTable)} />
            </Suspense>
          )}
        </div>
      </header>
      {controls && <div className="px-4 pt-2">{controls}</div>}
      <div className="min-w-0 flex-1 px-4 pt-3 pb-4">
        <Suspense fallback={null}>{isTable && data ? <ChartTable title={title} data={data()} /> : children({ title, summary })}</Suspense>
      </div>
    </Card>
  );
}
