import { percentText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { BarList, type BarItem } from './charts/BarList';
import { ChartCard } from './charts/ChartCard';
import type { ChartData } from './charts/ChartTable';

/** Isolates a name, which may be written from right to left, from the text around it. */
const isolated = (name: string) => `\u2068${name}\u2069`;

const namedAtMost = 3;

/** 'Most: High, 40 of 120 tickets (33.3%).' Names every entry with the highest count, or gives their number if there are many. */
export function summaryOf(field: BreakdownProps['metric'], items: BarItem[], total: number): string {
  const bars = items.filter(({ isRest }) => !isRest);
  const most = Math.max(0, ...bars.map(({ count }) => count));
  if (most === 0) return total === 0 ? t('analytics.no_tickets_in_range') : t('analytics.no_values_in_range', { field });
  const largest = bars.filter(({ count }) => count === most).map(({ name }) => isolated(name));
  const percent = percentText((most / total) * 100);
  if (largest.length > namedAtMost) return t('analytics.most_of_equal_size', { values: largest.length, most, total, percent });
  const names = new Intl.ListFormat('en').format(largest);
  return largest.length > 1
    ? t('analytics.most_are_several', { names, most, total, percent })
    : t('analytics.most_is_one', { name: names, most, total, percent });
}

interface BreakdownProps {
  title: string;
  metric: 'priority' | 'status' | 'channel' | 'category' | 'tags' | 'custom_field';
  /** The heading of the names in the table. */
  column: string;
  items: BarItem[];
  total: number;
}

/** The bars as a table. */
export const tableOf = ({ column, items, total }: Pick<BreakdownProps, 'column' | 'items' | 'total'>): ChartData => ({
  columns: [column, t('analytics.tickets'), t('analytics.share')],
  rows: items.map(({ name, count, to }) => ({
    name,
    cells: [
      { value: count, to },
      {
        value: total === 0 ? null : Math.round((count / total) * 1_000) / 10,
        text: percentText(total === 0 ? null : (count / total) * 100),
      },
    ],
  })),
});

/** The tickets of the range by one of their fields. */
export function Breakdown({ title, metric, column, items, total }: BreakdownProps) {
  return (
    <ChartCard title={title} metric={metric} summary={summaryOf(metric, items, total)} data={() => tableOf({ column, items, total })}>
      {() => <BarList items={items} total={total} title={title} />}
    </ChartCard>
  );
}
