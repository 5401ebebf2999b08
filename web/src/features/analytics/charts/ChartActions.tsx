import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react';
import { t } from '../../../lib/staff-texts';
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
    const { downloadCsv } = await import('../../../lib/csv');
    const { columns, rows } = data();
    downloadCsv(fileName(title), [columns, ...rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell.value)])]);
  };
  return (
    <div className="flex">
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={isTable ? t('analytics.charts.show_title_as_chart', { title }) : t('analytics.charts.show_title_as_table', { title })}
        title={isTable ? t('analytics.charts.show_as_chart') : t('analytics.charts.show_as_table')}
        onClick={onToggle}
      >
        {isTable ? <ChartNoAxesColumn aria-hidden /> : <Table2 aria-hidden />}
      </Button>
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label={t('analytics.charts.download_csv_of_title', { title })}
        title={t('analytics.charts.download_csv')}
        onClick={() => void save()}
      >
        <Download aria-hidden />
      </Button>
    </div>
  );
}
