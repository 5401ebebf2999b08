import { priorityLabels, ticketPriorities } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { countText, percentText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { PriorityMark } from '../../lib/ticket-badges';
import { useCells } from './charts/use-cells';
import { ChartCard } from './charts/ChartCard';
import type { SectionProps } from './section';

type Row = ReturnType<typeof rowsOf>[number];

function rowsOf({ analytics: { by_priority }, links }: Pick<SectionProps, 'analytics' | 'links'>) {
  return [...ticketPriorities]
    .reverse()
    .filter(links.hasPriority)
    .map((key) => {
      const { count, breaches } = by_priority.find((each) => each.key === key) ?? { count: 0, breaches: 0 };
      return {
        key,
        count,
        breaches,
        compliance: count === 0 ? null : ((count - breaches) / count) * 100,
        met: links.priority(key, 'sla_compliance'),
        missed: links.priority(key, 'sla_breaches'),
      };
    });
}

function SlaRow({
  row: { key, count, breaches, compliance, met, missed },
  index,
  cell,
}: {
  row: Row;
  index: number;
  cell: ReturnType<typeof useCells>['cell'];
}) {
  const name = priorityLabels[key];
  const link = 'tabular rounded-xs hover:text-accent-text hover:underline';
  return (
    <li className="grid grid-cols-[6.5rem_1fr_3.5rem_auto] items-center gap-3 py-1.5 max-sm:grid-cols-[5.5rem_1fr_3.5rem]">
      <span className="flex items-center gap-2">
        <PriorityMark priority={key} />
        {name}
      </span>
      <span aria-hidden className="flex h-2 overflow-hidden rounded-xs bg-sunken [print-color-adjust:exact]">
        <span className="bg-accent" style={{ width: `${compliance ?? 0}%` }} />
      </span>
      <Link
        {...cell(index, 0)}
        to={met}
        aria-label={t('analytics.priority_without_breach', { priority: name, percent: percentText(compliance), count: count - breaches })}
        className={`${link} text-right font-medium`}
      >
        {percentText(compliance)}
      </Link>
      <Link
        {...cell(index, 1)}
        to={missed}
        aria-label={t('analytics.priority_missed', { priority: name, missed: countText(breaches), total: countText(count) })}
        className={`${link} w-40 text-right whitespace-nowrap text-muted max-sm:col-span-3 max-sm:w-auto`}
      >
        {t('analytics.missed_of_total', { missed: countText(breaches), total: countText(count) })}
      </Link>
    </li>
  );
}

/** The share of tickets of each priority without an SLA breach. */
export function SlaByPriority({ analytics, links }: SectionProps) {
  const rows = rowsOf({ analytics, links });
  const { box, cell } = useCells(rows.length, 2);
  const { sla_breaches, sla_compliance } = analytics.figures;
  const summary =
    sla_compliance === null
      ? t('analytics.no_tickets_in_range')
      : t('analytics.without_breach_and_missed', { percent: percentText(sla_compliance), missed: sla_breaches });
  const data = () => ({
    columns: [t('analytics.priority'), t('analytics.tickets'), t('analytics.breaches'), t('analytics.compliance')],
    rows: rows.map(({ key, count, breaches, compliance, missed }) => ({
      name: priorityLabels[key],
      cells: [
        { value: count, to: links.priority(key) },
        { value: breaches, to: missed },
        { value: compliance === null ? null : Math.round(compliance * 10) / 10, text: percentText(compliance) },
      ],
    })),
  });
  return (
    <ChartCard title={t('analytics.sla_by_priority')} metric="sla_compliance" summary={summary} data={data}>
      {({ title }) => (
        <div {...box}>
          <ul aria-label={title}>
            {rows.map((row, index) => (
              <SlaRow key={row.key} row={row} index={index} cell={cell} />
            ))}
          </ul>
        </div>
      )}
    </ChartCard>
  );
}
