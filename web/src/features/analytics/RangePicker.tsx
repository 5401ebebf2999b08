import { analyticsRanges } from '@tandem/contracts/values';
import { useId, useState } from 'react';
import { cn } from '../../lib/cn';
import { Input } from '../../ui/Input';
import { rangeProblem, type AnalyticsView } from './analytics-view';

type Range = AnalyticsView['range'];
interface Days {
  from: string;
  to: string;
}

/** First and last day. They apply once they form a valid range. */
function CustomRange({ initial, onChange }: { initial: Days; onChange: (days: Days) => void }) {
  const [days, setDays] = useState(initial);
  const id = useId();
  const problem = rangeProblem(days);
  const set = (part: Partial<Days>) => {
    const next = { ...days, ...part };
    setDays(next);
    if (!rangeProblem(next)) onChange(next);
  };
  const input = (name: keyof Days, label: string) => (
    <label className="flex items-center gap-1.5 text-xs text-muted">
      {label}
      <Input
        type="date"
        className="h-7 w-34 px-2 text-xs touch:h-9"
        value={days[name]}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        onChange={(event) => set({ [name]: event.target.value })}
      />
    </label>
  );
  return (
    <>
      {input('from', 'From')}
      {input('to', 'To')}
      {problem && (
        <p id={id} role="alert" className="text-xs text-red-text">
          {problem}
        </p>
      )}
    </>
  );
}

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
      <div role="group" aria-label="Range" className="inline-flex items-center rounded-md bg-hover p-0.5">
        {analyticsRanges.map((days) => button(`${days} days`, !isCustom && range === days, () => choose(days)))}
        {button('Custom', isCustom, () => setIsChoosing(true))}
      </div>
      {isCustom && (
        <CustomRange initial={typeof range === 'number' ? { from: shown?.from ?? '', to: shown?.to ?? '' } : range} onChange={onChange} />
      )}
    </>
  );
}
