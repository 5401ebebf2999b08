import { useEffect, useState } from 'react';
import { announce } from '../../../lib/announce';
import { sizeText } from '../../../lib/uploads';
import { t } from '../../../lib/staff-texts';
import { secondsLeft, timeLeftText, withSample, type Sample } from './time-left';

interface ProgressProps {
  /** What is being done, such as 'Importing'. */
  label: string;
  progress: { done: number; total: number | null } | null;
  /** When the progress was read from the server. */
  readAt: number | undefined;
  /** Whether the progress is in bytes, not in records. */
  isBytes?: boolean;
}

/** Screen readers hear about every quarter, not about every poll. */
function useAnnounced(label: string, percent: number | undefined): void {
  const quarter = percent === undefined ? undefined : Math.floor(percent / 25) * 25;
  useEffect(() => {
    announce(quarter === undefined || quarter === 0 ? label : t('settings.transfer.label_percent', { label, percent: quarter }));
  }, [label, quarter]);
}

const amountText = (amount: number, isBytes: boolean) => (isBytes ? sizeText(amount) : amount.toLocaleString('en-US'));

/** The progress of work on the server, with the time left as soon as its speed is known. */
export function Progress({ label, progress, readAt, isBytes = false }: ProgressProps) {
  const [samples, setSamples] = useState<Sample[]>([]);
  const { done, total } = progress ?? { done: 0, total: null };
  if (progress && readAt !== undefined && samples.at(-1)?.at !== readAt) setSamples(withSample(samples, { at: readAt, done }));
  const percent = total ? Math.min(100, Math.floor((100 * done) / total)) : undefined;
  useAnnounced(label, percent);
  const left = secondsLeft(samples, total);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <p className="font-medium">{label}</p>
        <p className="text-xs text-muted tabular">
          {left !== undefined && <span className="mr-3">{timeLeftText(left)}</span>}
          {percent !== undefined && <span>{t('settings.transfer.percent', { percent })}</span>}
        </p>
      </div>
      <progress
        aria-label={label}
        max={100}
        value={percent}
        className="block h-1.5 w-full overflow-hidden rounded-full accent-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
      />
      {done > 0 && (
        <p className="text-xs text-muted tabular">
          {total
            ? t('settings.transfer.done_of_total', { done: amountText(done, isBytes), total: amountText(total, isBytes) })
            : t('settings.transfer.done_so_far', { done: amountText(done, isBytes) })}
        </p>
      )}
    </div>
  );
}
