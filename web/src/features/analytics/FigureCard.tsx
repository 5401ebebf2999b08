import { metricDefinitions, type MetricName } from '@tandem/contracts/values';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useDeferredValue } from 'react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import { changeOf, valueText, type Change, type Unit } from './change';
import { Sparkline } from './charts/Sparkline';
import { HowCounted } from './HowCounted';
import { bigMetricLink } from './metric-link';

const tones: Record<Change['tone'], string> = { good: 'text-green-text', bad: 'text-red-text', neutral: 'text-muted' };
function ChangeNote({ change }: { change: Change | undefined }) {
  if (!change) return <p className="text-xs text-muted">{t('analytics.no_earlier_data')}</p>;
  const Arrow = change.direction === 'up' ? ArrowUp : ArrowDown;
  return (
    <p className={cn('tabular flex items-center gap-0.5 text-xs', tones[change.tone])} title={change.words}>
      {change.direction !== 'same' && <Arrow className="size-3.5 shrink-0" aria-hidden />}
      <span aria-hidden>{change.text}</span>
      <span className="sr-only">{change.words}</span>
    </p>
  );
}

export interface FigureCardProps {
  metric: MetricName;
  value: number | null;
  before: number | null;
  unit: Unit;
  to: string;
  /** A second number, such as the slowest tenth. */
  detail?: string | undefined;
  /** The tickets that it counts, if they are not those of the value. */
  detailTo?: string | undefined;
  /** The figure for the tickets created on each day. */
  course: readonly (number | null)[];
}

/** 'Daily values: 4 to 12.' */
function courseText(course: readonly (number | null)[], unit: Unit): string {
  const values = course.filter((value) => value !== null);
  const [lowest, highest] = [Math.min(...values), Math.max(...values)].map(valueText[unit]);
  return lowest === highest
    ? t('analytics.per_day_always', { value: lowest ?? '' })
    : t('analytics.per_day_between', { lowest: lowest ?? '', highest: highest ?? '' });
}

/** Drawn after the figures are on screen. Its place is reserved, so that nothing moves. */
function Course({ course, unit }: { course: readonly (number | null)[]; unit: Unit }) {
  const values = useDeferredValue(course, null);
  const isEmpty = course.every((value) => value === null);
  return (
    <div className="mt-auto h-7.5 pt-1.5">
      {!isEmpty && <p className="sr-only">{courseText(course, unit)}</p>}
      {!isEmpty && values && <Sparkline values={values} fromZero={unit === 'count'} />}
    </div>
  );
}

/** One figure with its change from the preceding period. Its value opens the tickets that it counts. */
export function FigureCard({ metric, value, before, unit, to, detail, detailTo, course }: FigureCardProps) {
  const { label, better } = metricDefinitions[metric];
  return (
    <li className="flex min-w-0 flex-col rounded-lg border bg-surface px-4 pt-2.5 pb-3 break-inside-avoid">
      <div className="-mr-2 flex items-center justify-between">
        <h3 className="min-w-0 font-medium text-muted">{label}</h3>
        <HowCounted metric={metric} />
      </div>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-2.5">
        <Link
          to={to}
          aria-label={`${label}: ${valueText[unit](value)}`}
          className={cn(bigMetricLink, 'tabular text-xl font-semibold tracking-tight')}
        >
          {valueText[unit](value)}
        </Link>
        {value !== null && <ChangeNote change={changeOf(value, before, unit, better)} />}
      </div>
      {detail && (
        <p className="tabular mt-0.5 text-xs text-muted">
          {detailTo ? (
            <Link to={detailTo} className={cn(bigMetricLink, '-my-1 inline-block py-1')}>
              {detail}
            </Link>
          ) : (
            detail
          )}
        </p>
      )}
      {course.length > 1 && <Course course={course} unit={unit} />}
    </li>
  );
}
