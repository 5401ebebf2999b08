import type { MetricName } from '@tandem/contracts/values';
import { countText, counted, percentText } from '../../lib/metric-format';
import { BarList, type BarItem } from './charts/BarList';
import { ChartCard } from './charts/ChartCard';

/** Isolates a name, which may be written from right to left, from the text around it. */
const isolated = (name: string) => `\u2068${name}\u2069`;

const namedAtMost = 3;

/** 'Most: High, 40 of 120 tickets (33.3%).' Names every entry with the highest count, or gives their number if there are many. */
export function summaryOf(title: string, items: BarItem[], total: number): string {
  const bars = items.filter(({ isRest }) => !isRest);
  const most = Math.max(0, ...bars.map(({ count }) => count));
  if (most === 0) return total === 0 ? 'No tickets in this range.' : `No ${title.toLowerCase()} in this range.`;
  const largest = bars.filter(({ count }) => count === most).map(({ name }) => isolated(name));
  const share = `${countText(most)} of ${counted(total, 'ticket')}`;
  const percent = percentText((most / total) * 100);
  if (largest.length > namedAtMost) return `Most: ${largest.length} of equal size, ${share} each (${percent}).`;
  const names = new Intl.ListFormat('en').format(largest);
  return `Most: ${names}, ${share}${largest.length > 1 ? ' each' : ''} (${percent}).`;
}

interface BreakdownProps {
  title: string;
  metric: MetricName;
  /** The heading of the names in the table. */
  column: string;
  items: BarItem[];
  total: number;
}

/** The tickets of the range by one of their fields. */
export function Breakdown({ title, metric, column, items, total }: BreakdownProps) {
  const data = () => ({
    columns: [column, 'Tickets', 'Share'],
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
  return (
    <ChartCard title={title} metric={metric} summary={summaryOf(title, items, total)} data={data}>
      {() => <BarList items={items} total={total} title={title} />}
    </ChartCard>
  );
}
