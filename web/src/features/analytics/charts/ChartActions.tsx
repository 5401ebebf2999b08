import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react';
import { Button } from '../../../ui/Button';
import type { ChartData } from './ChartTable';

const fileName = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

interface ChartActionsProps {
  title: string;
  data: () => ChartData;
  isTable: boolean;
  onToggle: () => void;
}

/** Switches between the chart and its table, and downloads its data. */
export function ChartActions({ title, data, isTable, onToggle }: ChartActionsProps) {
  const save = async () => {
    const { downloadCsv } = await import('./csv');
    const { columns, rows } = data();
    downloadCsv(fileName(title), [columns, ...rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell.value)])]);
  };
  return (
    <div className="flex">
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
