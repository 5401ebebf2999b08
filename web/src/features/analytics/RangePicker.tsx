import { analyticsRanges } from '@tandem/contracts/values';
import { lazy, Suspense, useState } from 'react';
import { cn } from '../../lib/cn';
import { t } from '../../lib/staff-texts';
import type { AnalyticsView } from './analytics-view';
import type { Days } from './CustomRange';

const CustomRange = lazy(() => import('./CustomRange').then((module) => ({ default: module.CustomRange })));

/** As large as the two fields, whose code is loaded when they are first shown. */
const customRangeSpace = (
  <span aria-hidden className="invisible flex flex-wrap gap-1.5 text-xs">
    {[t('analytics.from'), t('analytics.to')].map((label) => (
      <span key={label} className="flex items-center gap-1.5">
        {label}
        <span className="h-7 w-34 touch:h-9" />
      </span>
    ))}
  </span>
);

type Range = AnalyticsView['range'];
interface RangePickerProps {
  range: Range;
  /** The displayed period, which is the initial value of a custom range. */
  shown: Days | undefined;
  onChange: (range: Range) => void;
}

/** 7, 30 or 90 days, or a custom range. */
export function RangePicker({ range, shown, onChange }: RangePickerProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  const isCustom = isChoosing || typeof range !== 'number';
  const choose = (days: Range) => {
    setIsChoosing(false);
    onChange(days);
  };
  const button = (label: string, isChosen: boolean, onClick: () => void) => (
    <button
      key={label}
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={cn(
        'h-6 rounded-sm border border-transparent px-2 text-xs font-medium whitespace-nowrap text-muted hover:text-ink touch:h-8',
        isChosen && 'border-line bg-surface text-ink',
      )}
    >
      {label}
    </button>
  );
  return (
    <>
      <div role="group" aria-label={t('analytics.range')} className="inline-flex items-center rounded-md bg-hover p-0.5">
        {analyticsRanges.map((days) => button(t('analytics.last_days', { days }), !isCustom && range === days, () => choose(days)))}
        {button(t('analytics.custom'), isCustom, () => setIsChoosing(true))}
      </div>
      {isCustom && (
        <Suspense fallback={customRangeSpace}>
          <CustomRange initial={typeof range === 'number' ? { from: shown?.from ?? '', to: shown?.to ?? '' } : range} onChange={onChange} />
        </Suspense>
      )}
    </>
  );
}
