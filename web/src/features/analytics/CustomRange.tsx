import { useId, useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Input } from '../../ui/Input';
import { rangeProblem } from './analytics-view';

export interface Days {
  from: string;
  to: string;
}

/** First and last day. They apply once they form a valid range. */
export function CustomRange({ initial, onChange }: { initial: Days; onChange: (days: Days) => void }) {
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
    <div className="relative flex flex-wrap gap-1.5">
      {input('from', t('analytics.from'))}
      {input('to', t('analytics.to'))}
      {problem && (
        // Over the page, so that neither the filters nor the figures move.
        <p
          id={id}
          role="alert"
          className="absolute top-full left-0 mt-1 rounded-md border bg-raised px-2 py-1 text-xs text-red-text shadow-overlay"
        >
          {problem}
        </p>
      )}
    </div>
  );
}
